// Asks PostgreSQL about the sort order of its text indexes.

/** Whether the C library or ICU sorts otherwise than when the indexes were made; the builtin C.UTF-8 never does. */
export const changedCollationSql = `select coalesce(datcollversion <> pg_database_collation_actual_version(oid), false) as "isChanged"
  from pg_database where datname = current_database()`
