-- The copy of WAL that this database began last. A data folder that was set back names an older one than the backup folder has,
-- so that it does not continue backups that it is no longer part of.
create table backup_marker (
  is_only boolean primary key default true check (is_only),
  -- Names the time, the system and the timeline.
  archive text not null,
  from_lsn pg_lsn not null,
  at_ms bigint not null
);
