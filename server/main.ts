// Wiring and nothing else: configuration, database, adapters, app, listener; and a stop with grace.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { readProcessConfig, type Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { databasePresence } from './features/users/presence-database.ts'
import { redisPresence } from './features/users/presence-redis.ts'
import { passwordHasher } from './features/auth/password.ts'
import { authService } from './features/auth/service.ts'
import { sweepAccessChanges } from './features/market/live/access-watch.ts'
import { outboxPath } from './features/mail-outbox/outbox-page.ts'
import { sweepPersonalData } from './features/privacy/retention.ts'
import { subscriptionsService } from './features/subscriptions/service.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { databaseIdempotency } from './http/idempotency.ts'
import { databaseLimits, noLimits } from './http/limits.ts'
import { listen, type Listener } from './http/listener.ts'
import type { Mailer } from './mail/mailer.ts'
import { outbox, type Outbox } from './mail/outbox.ts'
import { smtpMailer } from './mail/smtp.ts'
import { openMarket } from './open-market.ts'
import { runUntilSignal } from './run-until-signal.ts'

const sweepEveryMs = 10 * 60_000
const expireEveryMs = 60_000
/** Subscriptions that one transaction ends at most. */
const expireMax = 500
const graceMs = 5_000

const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime })

async function start(config: Config): Promise<() => Promise<void>> {
  const listener = await listen(config)
  const opened = new AsyncDisposableStack()
  // Callers first, then what serves them, then what that stands on.
  const stop = async () => {
    await listener.close(graceMs)
    await opened.disposeAsync()
  }
  try {
    await open(config, listener, opened)
    return stop
  } catch (error) {
    await stop().catch((closing: unknown) => log.error({ err: closing }, 'stop failed'))
    throw error
  }
}

async function open(config: Config, listener: Listener, opened: AsyncDisposableStack): Promise<void> {
  const now = Date.now
  const note = (line: string) => log.info(line)
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed')

  const database = await openDatabase({
    dataDir: config.dataDir,
    log: note,
    ...(config.databaseUrl === undefined ? {} : { databaseUrl: config.databaseUrl }),
  })
  opened.defer(() => database.close())
  await migrate(database, note)
  const { db } = database

  const presence = config.redisUrl === undefined ? databasePresence(db) : redisPresence(config.redisUrl, onError)
  opened.defer(() => presence.close())
  const limits = config.hasRateLimits ? databaseLimits({ db, now }) : noLimits
  if (!config.hasRateLimits) log.warn('rate limits are off: for load and security tests only')

  const hasher = passwordHasher(config.passwordHashCost)
  if (config.passwordHashCost !== 'standard') log.warn('password hashes are cheap: for tests only')
  const auth = authService({ db, limits, presence, hasher, now, onError })
  const adminLines = await ensureFirstAdmin(auth, config)
  const idempotency = databaseIdempotency({ db, now })
  const sweep = () =>
    auth
      .sweep()
      .then(() => sweepPersonalData({ db, presence, now }))
      .then(() => sweepAccessChanges(db))
      .then(() => idempotency.sweep())
  const sweeper = setInterval(() => void sweep().catch((error: unknown) => log.error({ err: error }, 'sweep failed')), sweepEveryMs)
  opened.defer(() => clearInterval(sweeper))
  const subscriptions = subscriptionsService({ db, limits, now })
  // Rows that another process holds are skipped, so all processes may run it.
  const expire = async () => {
    while ((await subscriptions.expire(expireMax)) === expireMax);
  }
  const expirer = setInterval(() => void expire().catch((error: unknown) => log.error({ err: error }, 'expiry failed')), expireEveryMs)
  opened.defer(() => clearInterval(expirer))

  const market = await openMarket({ config, db, log: (line, details) => log.info({ ...details }, line), onError, opened })
  const linkOrigin = addressOf(config, listener.port)
  const { mailer, outbox: kept } = chooseMailer(config, linkOrigin)
  opened.defer(() => mailer?.close())
  const app = await buildApp({
    ...config,
    db,
    limits,
    presence,
    hasher,
    market,
    now,
    log,
    mailer,
    outbox: kept,
    linkOrigin,
    webRoot: findWebRoot(),
    server: listener.server,
  })
  opened.defer(() => app.close())
  await app.ready()
  listener.ready()
  announce(config, listener.port, database.engine, [...adminLines, ...(kept === undefined ? [] : [`Mails: ${linkOrigin}${outboxPath}`])])
}

/** SMTP where it is configured; in development an outbox that also prints what it would send; else none. */
function chooseMailer(config: Config, linkOrigin: string): { mailer?: Mailer; outbox?: Outbox } {
  if (config.smtpUrl !== undefined) {
    if (config.publicOrigin === undefined) log.warn('mail is configured and PUBLIC_URL is not, so links in mails lead to this machine')
    return { mailer: smtpMailer({ smtpUrl: config.smtpUrl, siteHost: new URL(linkOrigin).hostname, brandName: config.site.brandName }) }
  }
  if (config.isProduction || !config.site.hasMail) return {}
  const kept = outbox((mail) => process.stdout.write(`\n  Mail to ${mail.to}: ${mail.subject}\n\n${mail.text}\n`))
  return { mailer: kept, outbox: kept }
}

/** The built pages; without them (development, where the build tool serves them) only the API is served. */
function findWebRoot(): string | undefined {
  const webRoot = path.resolve(import.meta.dirname, '../dist/web')
  if (existsSync(path.join(webRoot, 'index.html'))) return webRoot
  log.warn('the pages are not built, so only the API is served; "npm start" builds them')
  return undefined
}

/** Where people reach the site. */
function addressOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  return config.publicOrigin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function announce(config: Config, port: number, engine: string, moreLines: readonly string[]): void {
  const place = config.databaseUrl === undefined ? ` in ${path.resolve(config.dataDir)}` : ''
  const lines = [`${config.site.brandName} is ready at ${addressOf(config, port)}`, `Database: ${engine}${place}`, ...moreLines]
  // In one piece, so that whoever reads the address has the password as well.
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
}

runUntilSignal(() => start(readProcessConfig()), { log, graceMs: graceMs + 10_000 })
