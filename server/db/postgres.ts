// The PostgreSQL adapter: one pool with time limits, for the server of DATABASE_URL and for our own embedded one.
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import type { Database, Db } from './database.ts'
import type { Tables } from './tables.ts'

const versionMin = 15
/** How long a server that is just starting (one that starts with us) is waited for. */
const reachMs = 10_000

export interface PoolNeeds {
  readonly connection: PoolConfig
  readonly log: (line: string) => void
  /** Connections at most. */
  readonly sizeMax?: number
}

/** A pool and its query builder. Nothing is connected yet. */
export function openPool(needs: PoolNeeds): { pool: Pool; db: Db } {
  const pool = new Pool({
    ...needs.connection,
    max: needs.sizeMax ?? 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'tezi',
  })
  // An idle connection that breaks would otherwise end the process; the pool replaces it by itself.
  pool.on('error', (error) => {
    if (!pool.ending) needs.log(`a database connection broke: ${error.message}`)
  })
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

/**
 * Opens the server behind `databaseUrl`. Throws one clear line, which never holds the address or the password, when it
 * cannot be reached within 10 s, is older than PostgreSQL 15 or does not store UTF-8.
 */
export async function openPostgres(needs: { databaseUrl: string; log: (line: string) => void; sizeMax?: number }): Promise<Database> {
  if (!/^postgres(ql)?:\/\//.test(needs.databaseUrl) || !URL.canParse(needs.databaseUrl)) {
    // The parser's own error would quote the text, password included.
    throw new Error('DATABASE_URL is not a PostgreSQL address (postgres://user:password@host:5432/name)')
  }
  const { db } = openPool({
    connection: { connectionString: needs.databaseUrl },
    log: needs.log,
    ...(needs.sizeMax === undefined ? {} : { sizeMax: needs.sizeMax }),
  })
  try {
    await untilReachable(db, needs.log)
    await checkServer(db, needs.log)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { engine: 'postgres', db, close: () => db.destroy() }
}

async function untilReachable(db: Db, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + reachMs
  for (let said = false; ; said = true) {
    try {
      await sql`select 1`.execute(db)
      return
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      // 57P03: the server is starting up.
      const mayCome = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '57P03'].includes(code)
      if (!mayCome || Date.now() > deadline)
        throw new Error(`the PostgreSQL server of DATABASE_URL cannot be used: ${message || code}`, { cause: error })
      if (!said) log('waiting for the PostgreSQL server of DATABASE_URL')
      await delay(250)
    }
  }
}

async function checkServer(db: Db, log: (line: string) => void): Promise<void> {
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
