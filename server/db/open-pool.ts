// A connection pool and its query builder: timeouts, server failures as outages, and no reuse of broken connections.
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { OutageError } from '../outages/outage-error.ts'
import { poolLimitsDefault, type Database, type DatabaseLog, type Db, type PoolLimits } from './database.ts'
import { liftTimeoutsSql } from './lift-timeouts.ts'
import { preparedName } from './prepared.ts'
import type { Tables } from './tables.ts'

/** The server's own timeout fires first, unless the server does not respond at all. */
const answerMarginMs = 2_000
const idleInTransactionMs = 15_000
/** Their sum leaves a margin to the 2 seconds of `ping`. */
const pingConnectMs = 800
const pingAnswerMs = 1_000

export interface PoolOptions {
  readonly connection: PoolConfig
  readonly log: DatabaseLog
  readonly limits?: Partial<PoolLimits> | undefined
  readonly storageError?: () => Error | undefined
}

/** A pool and its query builder, and a separate connection for `ping`. Connects lazily. */
export function openPool(options: PoolOptions): Omit<Database, 'engine'> {
  const { connection, limits } = options
  const used = { ...poolLimitsDefault, ...limits }
  const { db, pool } = queryBuilder(options, used, used.statementTimeoutMs + answerMarginMs)
  // A pool exhausted by long queries does not mean that the server is down.
  const pingLimits = { ...used, size: 1, connectTimeoutMs: pingConnectMs }
  const { db: pingDb } = queryBuilder({ ...options, log: () => {} }, pingLimits, pingAnswerMs)
  let running: Promise<void> | undefined
  async function ping(): Promise<void> {
    try {
      await sql`select 1`.execute(pingDb)
    } finally {
      running = undefined
    }
  }
  return {
    connection,
    db,
    ping: () => (running ??= ping()),
    poolUse: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: used.size,
      waiting: pool.waitingCount,
    }),
    async close() {
      await Promise.all([db.destroy(), pingDb.destroy()])
    },
  }
}

function queryBuilder({ connection, log, storageError }: PoolOptions, limits: PoolLimits, queryTimeoutMs: number): { db: Db; pool: Pool } {
  const pool = new Pool({
    ...connection,
    max: limits.size,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'tezi',
  })
  // Otherwise a broken idle connection would end the process; the pool replaces it by itself.
  pool.on('error', (error) => {
    if (!pool.ending) log(`a database connection broke: ${error.message}`, 'warn')
  })
  const transactionLimitsSql =
    `set local statement_timeout = ${limits.statementTimeoutMs}; set local lock_timeout = ${limits.lockTimeoutMs}; ` +
    `set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: guardPool(pool, { queryTimeoutMs, transactionLimitsSql, log, storageError }) }),
  })
  return { db, pool }
}

interface GuardOptions {
  /** Statement timeout on our side, for when the server does not enforce its own. */
  readonly queryTimeoutMs: number
  /** Timeouts per transaction, for a pooler that does not support them per connection. */
  readonly transactionLimitsSql: string
  readonly log: DatabaseLog
  /** Runs after each statement, before its result counts: returns an error if the data files are missing. */
  readonly storageError?: (() => Error | undefined) | undefined
}

/** Connection settings that PgBouncer does not forward. */
const noLimits = { statement_timeout: undefined, lock_timeout: undefined, idle_in_transaction_session_timeout: undefined }

/** How values are read depends on these, and a role or database may have others. PgBouncer keeps the first one for each client. */
const sessionSql = `set datestyle = 'ISO'; set extra_float_digits = 1`

/** State that a pool keeps of its connections. */
interface PoolState {
  readonly failures: WeakMap<PoolClient, Error>
  /** Those that have run `sessionSql`. */
  readonly prepared: WeakSet<PoolClient>
  /** Behind a pooler such as PgBouncer, which assigns any connection to each transaction. */
  isPooled: boolean
  /** False if a pooler has assigned a connection that does not know our statements. */
  canPrepare: boolean
}

/** Wraps a pool. Calls reject with `OutageError` if the server or the connection fails, and with the server's error otherwise. */
function guardPool(pool: Pool, options: GuardOptions): PostgresPool {
  const state: PoolState = { failures: new WeakMap(), prepared: new WeakSet(), isPooled: false, canPrepare: true }
  // The pool handles errors of idle connections only; without this, a broken connection in use would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (!state.failures.has(client)) state.failures.set(client, error)
    })
  })
  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      if (!(error instanceof Error && /unsupported startup parameter/.test(error.message))) throw error
      if (!state.isPooled) options.log('the database is behind a pooler; time limits are set in each transaction')
      state.isPooled = true
      Object.assign(pool.options, noLimits)
      return pool.connect()
    }
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect().catch((error: unknown) => {
        throw new OutageError('database', error)
      })
      const guarded = guardClient(client, state, options)
      if (state.prepared.has(client)) return guarded
      try {
        await guarded.query(sessionSql, [])
      } catch (error) {
        client.release(true)
        throw error
      }
      state.prepared.add(client)
      return guarded
    },
  }
}

function guardClient(client: PoolClient, state: PoolState, options: GuardOptions): PostgresPoolClient {
  const { queryTimeoutMs, transactionLimitsSql, storageError } = options
  const { failures } = state
  let isLifted = false

  async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const known = failures.get(client)
    if (known !== undefined) throw new OutageError('database', known)
    if (text === liftTimeoutsSql) isLifted = true
    const timer = isLifted ? undefined : setTimeout(cut, queryTimeoutMs)
    try {
      const isStart = state.isPooled && /^(begin|start transaction)\b/.test(text)
      const result = await send(isStart ? `${text}; ${transactionLimitsSql}` : text, [...parameters])
      const lost = storageError?.()
      if (lost === undefined) return result
      throw new OutageError('database', lost)
    } catch (error) {
      if (error instanceof OutageError) throw error
      if (error instanceof DatabaseError && endsSession(error)) failures.set(client, error)
      const failure = failures.get(client) ?? (isOutage(error) ? error : undefined)
      throw failure === undefined ? error : new OutageError('database', failure)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Behind a pooler that accepts our settings the first failure tells; then the statement is sent without its name. */
  async function send(text: string, values: unknown[]): Promise<unknown> {
    const name = state.canPrepare && !state.isPooled ? preparedName(text) : undefined
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!(error instanceof DatabaseError && isForeignStatement(error))) throw error
      state.canPrepare = false
      return client.query(text, values)
    }
  }

  /** Ends the connection, which rejects its running statement; another statement would queue behind it. */
  function cut(): void {
    failures.set(client, new Error(`no answer within ${queryTimeoutMs} ms`))
    void client.end()
  }

  return {
    query: query as <R>(text: string, parameters: readonly unknown[]) => Promise<PostgresQueryResult<R>>,
    release: (isDiscarded) => client.release(failures.get(client) ?? isDiscarded),
  } as PostgresPoolClient
}

/**
 * SQLSTATEs unrelated to the statement: 08 connection, 25006 a standby, 40 transaction conflict, 53 memory, disk or
 * connections exhausted, 55P03 and 57014 timeouts, 57P shutdown, 58 the server's files.
 */
const outageCodes = /^(08|25006|25P03|40001|40P01|53|55P03|57014|57P|58)/

function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseError) return outageCodes.test(error.code ?? '')
  return error instanceof Error && 'syscall' in error
}

/** 26000: no such prepared statement; 42P05: it exists already; 0A000: a migration has changed the type of a column. */
const isForeignStatement = ({ code = '' }: DatabaseError): boolean => ['26000', '42P05', '0A000'].includes(code)

const endsSession = ({ code = '' }: DatabaseError): boolean => /^(08|25P03|57P)/.test(code)
