// The server behind PgBouncer, with four PostgreSQL connections in session or transaction mode.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from './db/open-postgres.ts'
import { fakeSmtp } from './testing/fake-smtp.ts'
import { ownPgbouncer } from './testing/pgbouncer.ts'
import { ownPostgres } from './testing/own-postgres.ts'
import { startServer } from './testing/process.ts'

const admin = { email: 'owner@example.in', password: 'correct horse battery' }

test.each([
  // In session mode each process keeps its connections; one is for readiness and one is left for the test.
  ['session', 2],
  ['transaction', 10],
] as const)('two processes work in %s mode', async (mode, poolSize) => {
  const postgres = await ownPostgres()
  onTestFinished(() => postgres.close())
  await postgres.query(`alter role tezi set datestyle = 'German'`)
  const first = await ownPgbouncer(mode, postgres.port)
  onTestFinished(() => first.close())
  const second = await ownPgbouncer(mode, postgres.port)
  onTestFinished(() => second.close())
  const smtp = await fakeSmtp()
  onTestFinished(() => smtp.close())
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_TLS: 'optional', SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const environment = {
    // The queue of mails takes two connections more.
    ...(mode === 'transaction' ? mail : {}),
    DATABASE_POOL_SIZE: String(poolSize),
    DATABASE_LOCK_TIMEOUT_MS: '1000',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMITS: 'off',
    PASSWORD_HASHES: 'cheap',
  }
  const bouncers = mode === 'session' ? [first, second] : [first, first]
  const servers = await Promise.all(bouncers.map(({ databaseUrl }) => startServer({ ...environment, DATABASE_URL: databaseUrl })))
  onTestFinished(() => void servers.map(({ child }) => child.kill('SIGKILL')))
  expect(servers.filter((server) => server.output().includes('database changed: 0001_accounts'))).toHaveLength(1)

  const post = (url: string, path: string, body: object) =>
    fetch(`${url}/api/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const password = 'Kesar-Chai-42'
  const signUp = (url: string, email: string) =>
    post(url, '/auth/sign-up', { name: 'Ravi', email, phone: '9876543210', password, confirmPassword: password })
  const newEmails = () => Array.from({ length: 15 }, () => `${randomUUID()}@example.in`)
  const statusesOf = async (calls: readonly Promise<Response>[]) => new Set((await Promise.all(calls)).map(({ status }) => status))
  const emails = newEmails()
  expect(await statusesOf(emails.map((email, index) => signUp(servers[index % 2]?.url ?? '', email)))).toEqual(new Set([201]))
  const calls = servers.flatMap(({ url }) => [
    post(url, '/auth/sign-in', admin),
    ...emails.map((email) => post(url, '/auth/sign-in', { email, password })),
    ...newEmails().map((email) => signUp(url, email)),
  ])
  expect(await statusesOf(calls)).toEqual(new Set([200, 201]))
  const recipients = () => smtp.received().match(/RCPT TO:<[^>]+>/g) ?? []
  await expect.poll(() => new Set(recipients()).size, { timeout: 60_000 }).toBe(mode === 'transaction' ? 3 * emails.length : 0)
  expect(recipients()).toHaveLength(new Set(recipients()).size)
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)

  // Dates are read right on every connection, whatever the role's style.
  const limits = { size: mode === 'session' ? 1 : poolSize }
  const database = await openPostgres({ databaseUrl: first.databaseUrl, log: () => {}, limits })
  const read = await Promise.all(Array.from({ length: 20 }, () => sql<{ at: Date | null }>`select now() as at`.execute(database.db)))
  await database.close()
  expect(read.filter(({ rows }) => !(rows[0]?.at instanceof Date))).toEqual([])

  // Timeouts are set per transaction and do not leak.
  const other = new Client({ connectionString: first.databaseUrl })
  await other.connect()
  onTestFinished(() => other.end())
  expect((await other.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }])
})
