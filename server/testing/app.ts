// An app on a fresh database with a fake clock, and browsers (cookie jar and token) that call it.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { buildApp, type AppOptions } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import type { NewUser } from '#server/db/tables.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { DatabaseRateLimiter } from '#server/http/rate-limiter.ts'
import { sessionCookie } from '#server/http/session.ts'
import { lineLog, openLogs } from '#server/logs.ts'
import { openMailQueue } from '#server/jobs/open-mail-queue.ts'
import { memoryMailer, type MemoryMailer } from '#server/mail/mailer.ts'
import { processReadiness, type SystemStatusDeps } from '#server/open-system-status.ts'
import { failureLog } from '#server/outages/outage-error.ts'
import { loadServerKeys, secretBox } from '#server/secrets/secret-box.ts'
import { composeServices } from '#server/services.ts'
import { defaultSite, type Site } from '#shared/base/site.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { openBrokers, type BrokerSettings } from '#server/open-market.ts'
import { browser, type Browser, type OpenSession } from './browser.ts'
import { emptyDatabase, freshDatabase, reusedDatabase } from './database.ts'
import { insertTestSession } from './insert-session.ts'
import { testMarket, type TestMarketOptions } from './market.ts'
import { testStatus } from './status.ts'

export const testPassword = 'Kesar-Chai-42'
export const startMs = Date.parse('2026-11-20T06:00:00Z')

const testSecretKey = Buffer.alloc(32, 7)

export type { Browser } from './browser.ts'

export interface TestApp {
  readonly app: FastifyInstance
  readonly database: Database
  readonly clock: { nowMs: number }
  readonly logLines: string[]
  readonly outbox: MemoryMailer
  browser(options?: { address?: string }): Browser
  addUser(values?: Partial<NewUser>): Promise<{ id: string; email: string }>
  /** A browser with a session of a new user. */
  signedIn(values?: Partial<NewUser>): Promise<Browser>
  /** Resets to the state after `testApp()`: no rows, mails or log lines, and the initial time. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface TestAppOptions extends Partial<Pick<AppOptions, 'readiness' | 'metrics' | 'drain'>> {
  readonly publicOrigin?: string
  readonly trustedProxies?: readonly string[]
  readonly webRoot?: string
  readonly site?: Partial<Site>
  /** True for counts instead of the configured claims. */
  readonly hasLiveClaims?: boolean
  readonly requestLogShare?: number
  /** True for a test that changes the schema. */
  readonly hasOwnDatabase?: boolean
  /** False for an app without mail. */
  readonly hasMailer?: boolean
  /** True for mails that wait in the database. */
  readonly hasMailQueue?: boolean
  /** True for an app with the outbox page, as in development. */
  readonly hasOutboxPage?: boolean
  readonly presence?: (database: Database) => Presence
  /** False for many calls of one user: disables the candle limits per user. */
  readonly hasRateLimits?: boolean
  /** True for an app whose admins must use two-factor sign-in. */
  readonly needsAdminFactor?: boolean
  /** Facts of the system status other than those of a process without backups and alerts. */
  readonly status?: Partial<SystemStatusDeps>
  /** Sources and licences other than the demo's. */
  readonly market?: TestMarketOptions
  /** Settings of users' own brokers; by default with a key and Zerodha's own URLs. */
  readonly brokers?: Partial<BrokerSettings>
}

/** Builds an app with controlled users, clock and addresses; close it at the end. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.hasOwnDatabase === true ? await freshDatabase() : await reusedDatabase()
  const clock = { nowMs: startMs }
  const now = () => clock.nowMs
  const logLines: string[] = []
  const logs = openLogs({ level: 'info', format: 'json' }, { write: (line) => void logLines.push(line) })
  const onError = failureLog(logs('jobs'))
  const presence = options.presence?.(database) ?? databasePresence(database.db)
  let kept = memoryMailer()
  const mails: MemoryMailer = {
    get mails() {
      return kept.mails
    },
    send: (mail) => kept.send(mail),
    close() {},
  }
  const box = secretBox(testSecretKey)
  const mailQueue = options.hasMailQueue === true ? await openMailQueue({ database, mailer: mails, box, onError }) : undefined
  const market = testMarket(database.db, now, options.market)
  const deps = {
    db: database.db,
    mailer: options.hasMailer === false ? undefined : mails,
    mailQueue,
    linkOrigin: options.publicOrigin ?? 'http://127.0.0.1:3000',
    secretBox: box,
    brokers: openBrokers(
      { box: secretBox(testSecretKey, { purpose: 'broker connections' }), ...options.brokers },
      { clock: market.wiring.clock, log: lineLog(logs('broker')) },
    ),
    needsAdminFactor: options.needsAdminFactor ?? false,
    rateLimiter: new DatabaseRateLimiter({ db: database.db, now }),
    ...(options.hasRateLimits === undefined ? {} : { hasRateLimits: options.hasRateLimits }),
    presence,
    hasher: testHasher,
    keyFor: await loadServerKeys(database.db),
    proofBits: 2,
    market: market.wiring,
    now,
    onError,
    publicOrigin: options.publicOrigin,
    site: { ...defaultSite, ...options.site },
    hasLiveClaims: options.hasLiveClaims === true,
    webRoot: options.webRoot,
  }
  const services = composeServices(deps)
  const readiness = options.readiness ?? processReadiness('web', { database, market: market.wiring, onError })
  const app = await buildApp({
    ...deps,
    services,
    readiness,
    status: testStatus({ ...deps, database, services, readiness }, options.status),
    metrics: options.metrics,
    outbox: options.hasOutboxPage === true ? mails : undefined,
    log: logs('http'),
    requestLogShare: options.requestLogShare ?? 1,
    trustedProxies: options.trustedProxies ?? [],
    ...(options.drain === undefined ? {} : { drain: options.drain }),
  })
  await app.ready()
  const cookieName = sessionCookie(options.publicOrigin?.startsWith('https:') === true).name
  const openSession: OpenSession = async (email, address) => {
    const user = await database.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    return { cookieName, ...(await insertTestSession(database.db, { userId: user.id, at: new Date(clock.nowMs), address })) }
  }
  const openBrowser: TestApp['browser'] = ({ address = '203.0.113.7' } = {}) => browser(app, address, openSession)
  return {
    app,
    database,
    clock,
    logLines,
    outbox: mails,
    browser: openBrowser,
    addUser: (values = {}) => addUser(database, clock.nowMs, values),
    async signedIn(values = {}) {
      const opened = openBrowser()
      await opened.signIn((await addUser(database, clock.nowMs, values)).email)
      return opened
    },
    async reset() {
      await emptyDatabase(database)
      clock.nowMs = startMs
      logLines.length = 0
      kept = memoryMailer()
    },
    async close() {
      await app.close()
      await mailQueue?.close()
      await market.close()
      await presence.close()
      await database.close()
    },
  }
}

/** Cheap hashes; sign-in.test.ts and password.test.ts cover the production cost. */
const testHasher = passwordHasher('cheap')
let testPasswordHash: Promise<string> | undefined

async function addUser(database: Database, nowMs: number, values: Partial<NewUser>): Promise<{ id: string; email: string }> {
  testPasswordHash ??= testHasher.hash(testPassword)
  return database.db
    .insertInto('users')
    .values({
      name: 'Asha Rao',
      email: `asha-${randomUUID().slice(0, 8)}@example.in`,
      phone: '9876543210',
      password_hash: await testPasswordHash,
      created_at: new Date(nowMs),
      email_confirmed_at: new Date(nowMs),
      consent_notice: noticeVersion,
      ...values,
    })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow()
}

/** A user whose premium ends a month after the start. */
export const premiumColumns = {
  status: 'paid',
  premium_start: new Date(startMs),
  premium_end: new Date(startMs + 30 * 86_400_000),
  subscription_months: 1,
} as const satisfies Partial<NewUser>
