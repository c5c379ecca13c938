// Composition root: configuration, database, adapters, app, listener; and a graceful shutdown.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './open-database.ts'
import { trimRows } from './db/trim-rows.ts'
import { databasePresence } from './features/users/database-presence.ts'
import { redisPresence } from './features/users/redis-presence.ts'
import { operatorCommands } from './features/auth/operator-commands.ts'
import { passwordHasher } from './features/auth/password-hasher.ts'
import { sweepAccessChanges } from './features/market-data/live/watch-access.ts'
import { outboxPath } from './features/mail-outbox/routes.ts'
import { ErasuresFile } from './features/privacy/erasures-file.ts'
import { sweepPersonalData } from './features/privacy/sweep-personal-data.ts'
import { watchAlerts } from './features/system-status/watch-alerts.ts'
import { databaseNow, expiryJob } from './features/subscriptions/expiry-job.ts'
import { DatabaseRateLimiter, noRateLimits } from './http/rate-limiter.ts'
import { listen, type Listener } from './http/listener.ts'
import { openMailQueue } from './jobs/open-mail-queue.ts'
import { countedMailer, memoryMailer, type Mailer, type MemoryMailer } from './mail/mailer.ts'
import { smtpMailer } from './mail/smtp-mailer.ts'
import { lineLog, openLogs, showOperator, standardOutput } from './logs.ts'
import { jobRuns, runAll, type JobRuns } from './metrics/job-runs.ts'
import type { Metrics } from './metrics/metrics.ts'
import { openBackups } from './backup/open-backups.ts'
import { brokerSettingsOf, openBrokers, openMarket } from './open-market.ts'
import {
  backupReaders,
  databaseReaders,
  hasherReaders,
  jobReaders,
  mailReaders,
  openMonitoring,
  subscriptionReaders,
} from './open-monitoring.ts'
import { alertChannels, openSystemStatus, processReadiness } from './open-system-status.ts'
import { failureLog } from './outages/outage-error.ts'
import { readConfigOrExit, runUntilSignal } from './run-until-signal.ts'
import { loadServerKeys, rootKeyOf, secretBox } from './secrets/secret-box.ts'
import { composeServices, type Services } from './services.ts'

const sweepEveryMs = 10 * 60_000
const expireEveryMs = 60_000
const saveErasuresEveryMs = 60_000
const graceMs = 5_000

const config = readConfigOrExit()
const logs = openLogs(config.log, standardOutput())
const log = logs('server')

async function start(config: Config): Promise<() => Promise<void>> {
  const listener = await listen(config)
  const opened = new AsyncDisposableStack()
  // For a start that fails before the app exists, which otherwise closes it.
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
  const onError = failureLog(logs('jobs'))
  const monitoring = await openMonitoring({ config, onError, opened })
  const metrics = monitoring?.metrics
  const database = await openMigratedDatabase(config, opened)
  const jobs = jobRuns({ now: Date.now })
  const backup = openBackups({ config, db: database.db, jobs, now: Date.now, log: logs('jobs'), onError, opened })
  const linkOrigin = addressOf(config, listener.port)
  const adapters = await openAdapters(config, { database, linkOrigin, metrics, onError, opened })
  const services = composeServices(adapters)
  startJobs(jobs, services, { ...adapters, opened })
  if (config.erasuresFile !== undefined) saveErasures(jobs, new ErasuresFile(config.erasuresFile), { ...adapters, opened })

  const readiness = processReadiness('web', { database, market: adapters.market, onError })
  const channels = alertChannels(config, adapters.mailer)
  const status = openSystemStatus({
    ...adapters,
    ...adapters.market,
    views: services.views,
    config,
    database,
    readiness,
    jobs,
    backup,
    alerts: channels,
  })
  metrics?.read({
    ...databaseReaders(database),
    ...hasherReaders(adapters.hasher),
    ...jobReaders(jobs),
    ...(backup === undefined ? {} : backupReaders(backup, Date.now)),
    ...(adapters.mailer === undefined ? {} : mailReaders(adapters.mailer)),
    ...subscriptionReaders(services.subscriptions, () => performance.now()),
  })
  const app = await buildApp({
    ...adapters,
    services,
    status,
    readiness,
    metrics,
    log: logs('http'),
    server: listener.server,
    drain: listener,
  })
  // After the live sockets are closed, before the services of requests.
  app.addHook('preClose', () => listener.close(graceMs))
  opened.defer(() => app.close())
  await app.ready()
  listener.ready()
  const alerts = watchAlerts({
    checks: () => status.checks(),
    channels,
    brandName: config.site.brandName,
    host: hostname(),
    monotonic: () => performance.now(),
    onError: (error) => onError(error, 'alert failed'),
  })
  opened.defer(() => alerts.stop())
  monitoring?.setReadiness(async () => (listener.isDraining ? { status: 'stopping', missing: [] } : readiness()))
  for (const warning of [...config.warnings, ...config.unknownVariables]) log.warn(warning)
  await announce(config, listener.port, database.engine, [
    ...config.warnings.map((warning) => `WARNING: ${warning}`),
    ...(monitoring === undefined ? [] : [`Metrics: ${monitoring.url}`]),
    ...(adapters.outbox === undefined ? [] : [`Mails: ${linkOrigin}${outboxPath}`]),
  ])
}

async function openMigratedDatabase(config: Config, opened: AsyncDisposableStack): Promise<Database> {
  const note = (line: string, level: 'info' | 'warn' | 'error' = 'info') => logs('database')[level](line)
  const { dataDir, database: limits, databaseUrl } = config
  const common = { dataDir, log: note, limits, backup: config.backup }
  const database = await openDatabase(databaseUrl === undefined ? common : { ...common, databaseUrl })
  opened.defer(() => database.close())
  await migrate(database, note)
  await database.sealAudit?.()
  return database
}

interface AdapterDeps {
  readonly database: Database
  readonly linkOrigin: string
  readonly metrics: Metrics | undefined
  readonly onError: ReturnType<typeof failureLog>
  readonly opened: AsyncDisposableStack
}

/** Opens what the configuration chooses: presence, rate limits, keys, market data, mail and brokers. */
async function openAdapters(config: Config, { database, linkOrigin, metrics, onError, opened }: AdapterDeps) {
  const now = Date.now
  const { db } = database
  const presence = config.redisUrl === undefined ? databasePresence(db) : redisPresence(config.redisUrl, onError)
  opened.defer(() => presence.close())
  const rateLimiter = config.hasRateLimits ? new DatabaseRateLimiter({ db, now }) : noRateLimits
  if (!config.hasRateLimits) log.warn('rate limits are off: for load and security tests only')

  const hasher = passwordHasher(config.passwordHashCost)
  if (config.passwordHashCost !== 'standard') log.warn('password hashes are cheap: for tests only')
  const keyFor = await loadServerKeys(db, config)
  await operatorCommands({ db, hasher, now }).ensureFirstAdmin(config, showOperator)

  const market = await openMarket({ config, db, log: lineLog(logs('market')), onError, opened, metrics })
  const box = secretBox(await rootKeyOf(config), { previousKey: config.previousSecretKey })
  const { mailer: chosen, outbox: devOutbox } = chooseMailer(config, linkOrigin)
  const mailer = chosen === undefined ? undefined : countedMailer(chosen)
  opened.defer(() => mailer?.close())
  const mailQueue = mailer && devOutbox === undefined ? await openMailQueue({ database, mailer, box, onError }) : undefined
  opened.defer(() => mailQueue?.close())
  return {
    ...config,
    site: { ...config.site, origin: linkOrigin },
    db,
    rateLimiter,
    presence,
    hasher,
    keyFor,
    market,
    now,
    onError,
    mailer,
    mailQueue,
    outbox: devOutbox,
    linkOrigin,
    secretBox: box,
    brokers: openBrokers(brokerSettingsOf(config), { clock: market.clock, log: lineLog(logs('broker')) }),
    webRoot: findWebRoot(),
  }
}

type JobDeps = Pick<Awaited<ReturnType<typeof openAdapters>>, 'db' | 'presence' | 'now' | 'onError'> & {
  readonly opened: AsyncDisposableStack
}

/** Starts the periodic jobs: deleting what has expired, and ending subscriptions. */
function startJobs(jobs: JobRuns, services: Services, { db, presence, now, onError, opened }: JobDeps): void {
  const { auth, idempotency, subscriptions } = services
  const sweep = jobs.track('sweep', () =>
    runAll([
      () => auth.sweep(),
      () => sweepPersonalData({ db, presence, now, onError }),
      () => sweepAccessChanges(db),
      () => idempotency.sweep(),
      () => trimRows(db),
    ]),
  )
  const sweeper = setInterval(() => void sweep().catch((error: unknown) => onError(error, 'sweep failed')), sweepEveryMs)
  opened.defer(() => clearInterval(sweeper))
  // Rows locked by another process are skipped, so all processes may run it.
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
}

/** Copies erasures out of the database, also those of the last minute when the process stops. */
function saveErasures(jobs: JobRuns, file: ErasuresFile, { db, now, onError, opened }: Omit<JobDeps, 'presence'>): void {
  const job = jobs.track('save-erasures', () => file.addFrom(db, now()))
  const save = () => job().catch((error: unknown) => onError(error, 'save-erasures failed'))
  const saver = setInterval(() => void save(), saveErasuresEveryMs)
  opened.defer(async () => {
    clearInterval(saver)
    await save()
  })
  void save()
}

/** SMTP if configured; in development an outbox that also prints its mails; else none. */
function chooseMailer(config: Config, linkOrigin: string): { mailer?: Mailer; outbox?: MemoryMailer } {
  if (config.smtpUrl !== undefined) {
    if (config.publicOrigin === undefined)
      logs('mail').warn('mail is configured and PUBLIC_URL is not, so links in mails lead to this machine')
    const { smtpUrl, isSmtpTlsOptional: isTlsOptional, site, proxy } = config
    const siteHost = new URL(linkOrigin).hostname
    return { mailer: smtpMailer({ smtpUrl, siteHost, brandName: site.brandName, isTlsOptional, proxy }) }
  }
  if (config.isProduction || !config.site.hasMail) return {}
  const devOutbox = memoryMailer((mail) => process.stdout.write(`\n  Mail to ${mail.to}: ${mail.subject}\n\n${mail.text}\n`))
  return { mailer: devOutbox, outbox: devOutbox }
}

/** The built pages; without them (in development, where the build tool serves them) only the API is served. */
function findWebRoot(): string | undefined {
  const webRoot = path.resolve(import.meta.dirname, '../dist/web')
  if (existsSync(path.join(webRoot, 'index.html'))) return webRoot
  log.warn('the pages are not built, so only the API is served; "npm start" builds them')
  return undefined
}

/** Public URL of the site. */
function addressOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  return config.publicOrigin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function announce(config: Config, port: number, engine: string, moreLines: readonly string[]): Promise<void> {
  const place = config.databaseUrl === undefined ? ` in ${path.resolve(config.dataDir)}` : ''
  await showOperator([`${config.site.brandName} is ready at ${addressOf(config, port)}`, `Database: ${engine}${place}`, ...moreLines])
}

runUntilSignal(() => start(config), log, config.drainMs + graceMs + 10_000)
