// Settings passed to the embedded PostgreSQL at each start.

export const engineSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Acknowledged commits are durable. Passed here, no edited file can override it.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '64MB',
  // Containers often have a tiny /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '40',
  // Bounds both the disk usage of the log and the time of a crash recovery.
  max_wal_size: '256MB',
  // For backups: WAL that is not copied yet is kept up to this size; then the next backup begins a new archive.
  max_slot_wal_keep_size: '2GB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes only: failed statements would put personal data into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
} as const
