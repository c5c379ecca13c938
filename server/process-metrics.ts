// Metrics of the parts that main.ts, gateway.ts and open-market.ts open.
import { hubPlaces } from '#shared/market-admin/contract.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Database, Replica } from './db/database.ts'
import type { PasswordHasher } from './features/auth/password-hasher.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import type { MarketSetup } from './features/market-data/live/market-data.ts'
import type { SubscriptionsService } from './features/subscriptions/service.ts'
import type { BackupTimes } from './features/system-status/service.ts'
import type { CountedMailer } from './mail/mailer.ts'
import { cachedFor, samplesBy, type Readers } from './metrics/metrics.ts'
import type { JobRuns } from './metrics/job-runs.ts'

export function databaseReaders({ poolUse }: Pick<Database, 'poolUse'>): Readers {
  return {
    tezi_database_connections: () => {
      const { used, idle } = poolUse()
      return samplesBy('state', { used, idle })
    },
    tezi_database_connections_max: () => poolUse().max,
    tezi_database_waiting: () => poolUse().waiting,
  }
}

export function replicaReaders({ counts }: Pick<Replica, 'counts'>): Readers {
  return { tezi_replica_reads_total: () => samplesBy('server', counts) }
}

export function hasherReaders(hasher: Pick<PasswordHasher, 'load'>): Readers {
  return {
    tezi_password_hashes: () =>
      Object.entries(hasher.load()).flatMap(([queue, { running, waiting }]) => [
        { labels: { queue, state: 'running' }, value: running },
        { labels: { queue, state: 'waiting' }, value: waiting },
      ]),
  }
}

export function jobReaders(jobs: Pick<JobRuns, 'list'>): Readers {
  return {
    tezi_job_runs_total: () =>
      jobs
        .list()
        .flatMap(({ job, success, skipped, failed }) =>
          Object.entries({ success, skipped, failed }).map(([result, value]) => ({ labels: { name: job, result }, value })),
        ),
    tezi_job_last_success_timestamp_seconds: () =>
      jobs
        .list()
        .flatMap(({ job, lastSuccessMs }) =>
          lastSuccessMs === undefined ? [] : [{ labels: { name: job }, value: lastSuccessMs / 1_000 }],
        ),
  }
}

/** Of the backup folder, so that a job that never runs is noticed too. */
export function backupReaders(read: () => Promise<BackupTimes & { readonly oldestMs: number | undefined }>, now: () => number): Readers {
  const kept = cachedFor(30 * secondMs, read, () => performance.now())
  const seconds = (ms: number | undefined): number => (ms === undefined ? Infinity : (now() - ms) / 1_000)
  return {
    tezi_backup_age_seconds: async () => {
      const { reachedMs, baseMs, verifiedMs, oldestMs } = await kept()
      return samplesBy('kind', { changes: seconds(reachedMs), base: seconds(baseMs), verified: seconds(verifiedMs ?? oldestMs) })
    },
  }
}

export function mailReaders({ counts }: Pick<CountedMailer, 'counts'>): Readers {
  return {
    tezi_mails_total: () => samplesBy('result', { sent: counts.sent, failed: counts.failed }),
    tezi_mails_under_way: () => counts.underWay,
  }
}

export function subscriptionReaders(subscriptions: Pick<SubscriptionsService, 'countByState'>, monotonic: () => number): Readers {
  const count = cachedFor(minuteMs, () => subscriptions.countByState(), monotonic)
  return { tezi_subscriptions: async () => samplesBy('state', await count()) }
}

/** Which process is the active hub; for the hub itself also the age of the data. */
export function marketReaders({ hubPlace }: Pick<MarketSetup, 'hubPlace'>, hub: Pick<Hub, 'report'> | undefined): Readers {
  return {
    tezi_market_hub: () => {
      const now = hubPlace()
      return hubPlaces.map((place) => ({ labels: { place }, value: place === now ? 1 : 0 }))
    },
    ...(hub === undefined ? {} : hubReaders(hub)),
  }
}

function hubReaders(hub: Pick<Hub, 'report'>): Readers {
  const labelsOf = ({ series, source }: { series: string; source: string | null }) => ({ series, source: source ?? 'none' })
  return {
    tezi_market_data_age_seconds: () =>
      hub.report().flatMap((entry) => (entry.ageMs === undefined ? [] : [{ labels: labelsOf(entry), value: entry.ageMs / 1_000 }])),
    tezi_market_series_stale: () => hub.report().map((entry) => ({ labels: labelsOf(entry), value: entry.isStale ? 1 : 0 })),
  }
}
