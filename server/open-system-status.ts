// What a process knows of its health: readiness, the facts of the Status page, and where alerts go.
import { sql } from 'kysely'
import { secondMs } from '#shared/base/durations.ts'
import { pricesState } from '#shared/system-status/prices-state.ts'
import { mailAlerts, type AlertChannel } from './alerts/alert-channel.ts'
import { telegramAlerts } from './alerts/telegram-alerts.ts'
import type { Config } from './config/config.ts'
import type { Database, Db } from './db/database.ts'
import type { PasswordHasher } from './features/auth/password-hasher.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import type { MarketSetup, MarketWiring } from './features/market-data/live/market-data.ts'
import type { SeriesViews } from './features/market-data/live/series-view.ts'
import type { SourceProbes } from './features/market-data/source-probes.ts'
import { sourceStates } from './features/market-data/source-states.ts'
import { systemStatusService, type SystemFacts, type SystemStatusService } from './features/system-status/service.ts'
import { readinessOf, type Readiness } from './http/readiness.ts'
import type { CountedMailer, Mailer } from './mail/mailer.ts'
import type { JobRuns } from './metrics/job-runs.ts'
import { OutageError } from './outages/outage-error.ts'

export interface ProcessReadinessOptions {
  readonly database: Pick<Database, 'db' | 'ping'>
  readonly market: Pick<MarketWiring, 'bus' | 'setup' | 'probes'> & { readonly hub?: Pick<Hub, 'report'> | undefined }
  readonly onError: (error: unknown) => void
}

/** The hub knows every followed series. */
const noViews = { conditions: () => new Map<string, never>() }

/** Sign-in, payments and stored candles work without Redis and the hub; a gateway is useless without them. */
export function processReadiness(kind: 'web' | 'gateway', { database, market, onError }: ProcessReadinessOptions): Readiness {
  return readinessOf({
    checks: {
      // Rejects within 2 seconds if it does not respond.
      database: () => database.ping().then(() => true),
      writes: writeProbe(database.db),
      redis: () => market.bus.isConnected(),
      'market-hub': () => market.setup.hubPlace() !== 'silent',
      prices: () => pricesState(sourceStates({ hub: market.hub, views: noViews, probes: market.probes })) !== 'failing',
    },
    required: new Set(kind === 'web' ? ['database'] : ['database', 'redis', 'market-hub']),
    onError,
  })
}

const writeProbeEveryMs = 15 * secondMs
/** Disk full, no more resources, errors of files, and a server that only reads. */
const rejectedWrite = /^(53|58|25006)/

/** Returns the last finding at once, and looks again beside it at most every 15 seconds. The first finding is that it can. */
function writeProbe(db: Db): () => boolean {
  let canWrite = true
  let lastMs = -Infinity
  return () => {
    if (performance.now() - lastMs >= writeProbeEveryMs) {
      lastMs = performance.now()
      void writes(db).then((found) => (canWrite = found))
    }
    return canWrite
  }
}

/** On a full disk the database still reads. A table of its own is a new file, which a change of a row need not be. */
async function writes(db: Db): Promise<boolean> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`create temporary table tezi_write_probe (note text) on commit drop`.execute(transaction)
      await sql`insert into tezi_write_probe values ('x')`.execute(transaction)
    })
    return true
  } catch (error) {
    // Anything else, such as a lost connection, is reported by the check of the database itself.
    const { code } = (error instanceof OutageError ? error.cause : error) as { code?: string }
    return !rejectedWrite.test(code ?? '')
  }
}

export interface SystemStatusDeps {
  readonly config: Pick<Config, 'redisUrl' | 'warnings'>
  readonly database: Pick<Database, 'poolUse'>
  readonly hasher: Pick<PasswordHasher, 'load'>
  readonly setup: Pick<MarketSetup, 'hubPlace'>
  /** The hub, if it is in this process. */
  readonly hub: Pick<Hub, 'report'> | undefined
  readonly views: Pick<SeriesViews, 'conditions'>
  readonly probes: Pick<SourceProbes, 'sources' | 'reach'>
  readonly readiness: Readiness
  readonly jobs: Pick<JobRuns, 'list'>
  readonly mailer: Pick<CountedMailer, 'counts'> | undefined
  readonly backup: SystemFacts['backup']
  readonly alerts: readonly AlertChannel[]
  readonly now: () => number
}

export function openSystemStatus(deps: SystemStatusDeps): SystemStatusService {
  const { config, database, hasher, setup, hub, views, probes, readiness, jobs, mailer, alerts, now } = deps
  return systemStatusService({
    now,
    startedAtMs: now(),
    missing: async () => (await readiness()).missing,
    hasRedis: config.redisUrl !== undefined,
    warnings: config.warnings,
    database: () => database.poolUse(),
    hashes: () => {
      const { 'sign-in': signIn, other } = hasher.load()
      return { signIn, other }
    },
    hub: () => setup.hubPlace(),
    sources: () => sourceStates({ hub, views, probes }),
    jobs: () => jobs.list(),
    mails: mailer?.counts,
    backup: deps.backup,
    alerts: { mail: alerts.some(({ kind }) => kind === 'mail'), telegram: alerts.some(({ kind }) => kind === 'telegram') },
  })
}

/** The configured channels. */
export function alertChannels(
  { alerts: { email, telegram } }: Pick<Config, 'alerts'>,
  mailer: Pick<Mailer, 'send'> | undefined,
): AlertChannel[] {
  return [
    ...(email === undefined || mailer === undefined ? [] : [mailAlerts({ mailer, to: email })]),
    ...(telegram === undefined ? [] : [telegramAlerts(telegram)]),
  ]
}
