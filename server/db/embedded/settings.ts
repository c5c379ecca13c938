// What the embedded PostgreSQL is told at each start.

export const engineSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // An acknowledged commit is on the disk. Given here, no edited file can take it back.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '64MB',
  // Containers often have a tiny /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  max_connections: '40',
  // Bounds both the disk used by the log and the time a crash recovery takes.
  max_wal_size: '256MB',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes only: failed statements would carry people's data into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
} as const
