// Wiring and nothing else: configuration, database, adapters, app, listener; and a stop with grace.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { trimRows } from './db/row-bounds.ts'
import { databasePresence } from './features/users/presence-database.ts'
import { redisPresence } from './features/users/presence-redis.ts'
import { operatorService } from './features/auth/operator-service.ts'
import { passwordHasher } from './features/auth/password.ts'
import { authService } from './features/auth/service.ts'
import { sweepAccessChanges } from './features/market/live/access-watch.ts'
import { outboxPath } from './features/mail-outbox/outbox-page.ts'
import { sweepPersonalData } from './features/privacy/retention.ts'
import { databaseNow, expiryJob } from './features/subscriptions/expiry-job.ts'
import { subscriptionsService } from './features/subscriptions/service.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { databaseIdempotency } from './http/idempotency.ts'
import { databaseLimits, noLimits } from './http/limits.ts'
import { listen, type Listener } from './http/listener.ts'
import { proofOfWork } from './http/proof-of-work.ts'
import { countedMailer } from './mail/counted-mailer.ts'
import type { Mailer } from './mail/mailer.ts'
import { outbox, type Outbox } from './mail/outbox.ts'
import { smtpMailer } from './mail/smtp.ts'
import { lineLog, openLogs, standardOutput } from './log.ts'
import { jobRuns } from './metrics/job-runs.ts'
import { brokerSettingsOf, openBrokers } from './open-brokers.ts'
import { openMarket } from './open-market.ts'
import { openMonitoring } from './open-monitoring.ts'
import { failureLog } from './outage.ts'
import { databaseReaders, hasherReaders, jobReaders, mailReaders, subscriptionReaders } from './process-metrics.ts'
import { processReadiness } from './process-readiness.ts'
import { readConfigOrExit, runUntilSignal } from './run-until-signal.ts'
import { secretBox } from './secret-box.ts'
import { loadServerKeys, rootKeyOf } from './secret-key.ts'
import { showOperator } from './show-operator.ts'

const sweepEveryMs = 10 * 60_000
const expireEveryMs = 60_000
const graceMs = 5_000

const config = readConfigOrExit()
const logs = openLogs(config.log, standardOutput())
const log = logs('server')

async function start(config: Config): Promise<() => Promise<void>> {
  const listener = await listen(config)
  const opened = new AsyncDisposableStack()
  // For a start that fails before there is an app, which else closes it.
  opened.defer(() => listener.close(graceMs))
  const stop = async () => {
    await listener.drain(config.drainMs)
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
  const note = (line: string, level: 'info' | 'warn' | 'error' = 'info') => logs('database')[level](line)
  const onError = failureLog(logs('jobs'))

  const monitoring = await openMonitoring({ config, onError, opened })
  const jobs = jobRuns({ now })

  const database = await openDatabase({
    dataDir: config.dataDir,
    log: note,
    limits: config.database,
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
  const keyFor = await loadServerKeys(db, config)
  const proofs = proofOfWork({ limits, key: keyFor('proof-of-work'), now })
  const auth = authService({ db, limits, presence, hasher, keyFor, proofs, now, onError })
  await ensureFirstAdmin(operatorService({ db, hasher, now }), config, showOperator)
  const idempotency = databaseIdempotency({ db, limits, key: keyFor('idempotency'), now, onError })
  const sweep = jobs.track('sweep', () =>
    auth
      .sweep()
      .then(() => sweepPersonalData({ db, presence, now }))
      .then(() => sweepAccessChanges(db))
      .then(() => idempotency.sweep())
      .then(() => trimRows(db)),
  )
  const sweeper = setInterval(() => void sweep().catch((error: unknown) => onError(error, 'sweep failed')), sweepEveryMs)
  opened.defer(() => clearInterval(sweeper))
  const subscriptions = subscriptionsService({ db, limits, now })
  // Rows that another process holds are skipped, so all processes may run it.
  const expire = jobs.track(
    'expire-subscriptions',
    expiryJob({
      expire: (limit) => subscriptions.expire(limit),
      databaseNow: () => databaseNow(db),
      now,
      monotonic: () => performance.now(),
      log: (line, details) => logs('jobs').error(details, line),
    }),
  )
  const expirer = setInterval(() => void expire().catch((error: unknown) => onError(error, 'expiry failed')), expireEveryMs)
  opened.defer(() => clearInterval(expirer))

  const market = await openMarket({
    config,
    db,
    log: lineLog(logs('market')),
    onError,
    opened,
    metrics: monitoring?.metrics,
  })
  const linkOrigin = addressOf(config, listener.port)
  const { mailer: chosen, outbox: kept } = chooseMailer(config, linkOrigin)
  const mailer = chosen === undefined ? undefined : countedMailer(chosen)
  opened.defer(() => mailer?.close())
  const readiness = processReadiness('web', { ping: () => database.ping(), market, onError })
  monitoring?.metrics.read({
    ...databaseReaders(database),
    ...hasherReaders(hasher),
    ...jobReaders(jobs),
    ...(mailer === undefined ? {} : mailReaders(mailer)),
    ...subscriptionReaders(subscriptions, () => performance.now()),
  })
  const app = await buildApp({
    ...config,
    db,
    readiness,
    metrics: monitoring?.metrics,
    limits,
    hasRateLimits: config.hasRateLimits,
    presence,
    hasher,
    keyFor,
    market,
    now,
    log: logs('http'),
    jobsLog: logs('jobs'),
    mailer,
    outbox: kept,
    linkOrigin,
    secretBox: secretBox(await rootKeyOf(config), { previousKey: config.previousSecretKey }),
    brokers: openBrokers(brokerSettingsOf(config), {
      clock: market.clock,
      log: lineLog(logs('broker')),
    }),
    webRoot: findWebRoot(),
    server: listener.server,
    drain: listener,
  })
  // After the live sockets have been closed, before anything that serves requests.
  app.addHook('preClose', () => listener.close(graceMs))
  opened.defer(() => app.close())
  await app.ready()
  listener.ready()
  monitoring?.setReadiness(async () => (listener.isDraining ? { status: 'stopping', missing: [] } : readiness()))
  for (const warning of [...config.warnings, ...config.unknownVariables]) log.warn(warning)
  await announce(config, listener.port, database.engine, [
    ...config.warnings.map((warning) => `WARNING: ${warning}`),
    ...(monitoring === undefined ? [] : [`Metrics: ${monitoring.url}`]),
    ...(kept === undefined ? [] : [`Mails: ${linkOrigin}${outboxPath}`]),
  ])
}

/** SMTP where it is configured; in development an outbox that also prints what it would send; else none. */
function chooseMailer(config: Config, linkOrigin: string): { mailer?: Mailer; outbox?: Outbox } {
  if (config.smtpUrl !== undefined) {
    if (config.publicOrigin === undefined)
      logs('mail').warn('mail is configured and PUBLIC_URL is not, so links in mails lead to this machine')
    const { smtpUrl, isSmtpTlsOptional: isTlsOptional, site } = config
    return { mailer: smtpMailer({ smtpUrl, siteHost: new URL(linkOrigin).hostname, brandName: site.brandName, isTlsOptional }) }
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

async function announce(config: Config, port: number, engine: string, moreLines: readonly string[]): Promise<void> {
  const place = config.databaseUrl === undefined ? ` in ${path.resolve(config.dataDir)}` : ''
  await showOperator([`${config.site.brandName} is ready at ${addressOf(config, port)}`, `Database: ${engine}${place}`, ...moreLines])
}

runUntilSignal(() => start(config), { log, graceMs: config.drainMs + graceMs + 10_000 })
