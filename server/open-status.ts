// The system status of a web process: its facts, and the watch that sends alerts.
import { hostname } from 'node:os'
import { mailAlerts, type AlertChannel } from './alerts/alert-channel.ts'
import { telegramAlerts } from './alerts/telegram-alerts.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import type { PasswordHasher } from './features/auth/password-hasher.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import type { SeriesViews } from './features/market-data/live/series-views.ts'
import { sourceStates } from './features/market-data/source-states.ts'
import type { SourceProbes } from './features/market-data/source-probes.ts'
import type { MarketSetup } from './features/market-data/live/market-data.ts'
import { watchAlerts } from './features/system-status/watch-alerts.ts'
import { systemStatusService, type SystemFacts, type SystemStatusService } from './features/system-status/service.ts'
import type { Readiness } from './http/readiness.ts'
import type { CountedMailer, Mailer } from './mail/mailer.ts'
import type { JobRuns } from './metrics/job-runs.ts'

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

export interface WatchDeps {
  readonly status: SystemStatusService
  readonly channels: readonly AlertChannel[]
  readonly brandName: string
  readonly onError: (error: unknown) => void
  readonly opened: AsyncDisposableStack
}

/** Sends alerts until the process stops. */
export function openAlertWatch({ status, channels, brandName, onError, opened }: WatchDeps): void {
  const monotonic = () => performance.now()
  const watch = watchAlerts({ checks: () => status.checks(), channels, brandName, host: hostname(), monotonic, onError })
  opened.defer(() => watch.stop())
}
