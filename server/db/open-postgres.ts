// Opens the PostgreSQL server of DATABASE_URL, and says what is wrong with one that cannot be used.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { changedCollationSql, type Database, type DatabaseLog, type Db, type PoolLimits } from './database.ts'
import { openPool } from './open-pool.ts'

const versionMin = 15
/** How long to wait for a server that is just starting (together with us). */
const reachMs = 10_000

/**
 * Opens the server at `databaseUrl`. Throws one clear line, which never contains the address or the password, if it
 * is unreachable for 10 s, older than PostgreSQL 15 or does not store UTF-8.
 */
export async function openPostgres(options: {
  databaseUrl: string
  log: DatabaseLog
  limits?: Partial<PoolLimits> | undefined
  /** Whether `npx tezi move-database` fills it. */
  isMoveTarget?: boolean
}): Promise<Database> {
  if (!/^postgres(ql)?:\/\//.test(options.databaseUrl) || !URL.canParse(options.databaseUrl)) {
    // The parser's own error would quote the text, password included.
    throw new Error('DATABASE_URL is not a PostgreSQL address (postgres://user:password@host:5432/name)')
  }
  const pool = openPool({ connection: { connectionString: options.databaseUrl }, log: options.log, limits: options.limits })
  try {
    await untilReachable(pool.db, options.log)
    await checkServer(pool.db, options.log)
    await warnOfCollation(pool.db, options.log)
    if (options.isMoveTarget !== true) await rejectUnfinishedMove(pool.db)
  } catch (error) {
    await pool.close()
    throw error
  }
  return { engine: 'postgres', ...pool }
}

async function untilReachable(db: Db, log: DatabaseLog): Promise<void> {
  const deadline = performance.now() + reachMs
  for (let reported = false; ; reported = true) {
    try {
      await sql`select 1`.execute(db)
      return
    } catch (error) {
      const { code = '', message } = ((error as Error).cause ?? error) as { code?: string; message: string }
      // 57P03: the server is starting up.
      const mayCome = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '57P03'].includes(code)
      if (!mayCome || performance.now() > deadline)
        throw new Error(`the PostgreSQL server of DATABASE_URL cannot be used: ${message || code}`, { cause: error })
      if (!reported) log('waiting for the PostgreSQL server of DATABASE_URL')
      await delay(250)
    }
  }
}

async function rejectUnfinishedMove(db: Db): Promise<void> {
  const { rows } = await sql<{ isUnfinished: boolean }>`
    select to_regclass('tezi_upgrade.progress') is not null as "isUnfinished"`.execute(db)
  if (rows[0]?.isUnfinished === true)
    throw new Error('a move into the database of DATABASE_URL was interrupted; run npx tezi move-database again')
}

async function checkServer(db: Db, log: DatabaseLog): Promise<void> {
  const { rows } = await sql<{ version: string; number: string; encoding: string; ctype: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      current_setting('server_encoding') as encoding, datctype as ctype
    from pg_database where datname = current_database()`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the PostgreSQL server of DATABASE_URL does not describe itself')
  if (Number(found.number) < versionMin * 10_000) {
    throw new Error(`the PostgreSQL server of DATABASE_URL is version ${found.version}; Tezi needs ${versionMin} or newer`)
  }
  if (found.encoding !== 'UTF8')
    throw new Error(`the database of DATABASE_URL stores ${found.encoding}; Tezi needs UTF8 (create database ... encoding 'UTF8')`)
  if (found.ctype === 'C' || found.ctype === 'POSIX') {
    log(
      'the database of DATABASE_URL has the character type C: searches will not find Hindi or accented names; create it with a UTF-8 locale',
    )
  }
}

async function warnOfCollation(db: Db, log: DatabaseLog): Promise<void> {
  const { rows } = await sql.raw<{ isChanged: boolean }>(changedCollationSql).execute(db)
  if (rows[0]?.isChanged === true)
    log(
      'the collation of the database of DATABASE_URL has changed since its indexes were made, so they may miss rows: ' +
        'docs/operating/database.md#collations',
      'warn',
    )
}
