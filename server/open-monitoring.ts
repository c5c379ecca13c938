// The monitoring port of a process, separate from the site: metrics, liveness and readiness, without a session; and the metrics of
// what the process opens.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hubPlaces } from '#shared/market-admin/contract.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Database, Replica } from './db/database.ts'
import type { PasswordHasher } from './features/auth/password-hasher.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import type { MarketSetup } from './features/market-data/live/market-data.ts'
import type { SubscriptionsService } from './features/subscriptions/service.ts'
import type { BackupTimes } from './features/system-status/service.ts'
import type { CountedMailer } from './mail/mailer.ts'
import { cachedFor, samplesBy, type Metrics, type MetricsText, type Readers } from './metrics/metrics.ts'
import type { JobRuns } from './metrics/job-runs.ts'
import type { Config } from './config/config.ts'
import { boundedPipeline, createHttpServer } from './http/listener.ts'
import { missingNames, type Readiness } from './http/readiness.ts'
import { apiHeaders } from './http/security-headers.ts'

export interface Monitoring {
  readonly metrics: Metrics
  /** URL of the metrics. */
  readonly url: string
  /** Until it is called, `/readyz` reports that the process is starting. */
  setReadiness(readiness: Readiness): void
}

interface OpenMonitoringOptions {
  readonly config: Pick<Config, 'metrics'>
  readonly onError: (error: unknown) => void
  readonly opened: AsyncDisposableStack
}

/** Listens on METRICS_PORT immediately, so that a starting process is visible; undefined if monitoring is off. */
export async function openMonitoring({ config, onError, opened }: OpenMonitoringOptions): Promise<Monitoring | undefined> {
  if (config.metrics === undefined) return undefined
  // Lazy: processes without metrics do not load the library.
  const { processReaders, prometheusMetrics } = await import('./metrics/prometheus-metrics.ts')
  const metrics = prometheusMetrics({ onError })
  metrics.read(processReaders())
  let readiness: Readiness = () => Promise.resolve({ status: 'starting', missing: [] })
  const server = monitoringServer(metrics, () => readiness(), onError)
  server.listen(config.metrics.port, config.metrics.host)
  await once(server, 'listening')
  opened.defer(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    metrics,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    setReadiness(checked) {
      readiness = checked
      metrics.read({
        tezi_missing: async () => {
          const { missing } = await checked()
          return missingNames.map((name) => ({ labels: { name }, value: missing.includes(name) ? 1 : 0 }))
        },
      })
    },
  }
}

function monitoringServer(metrics: MetricsText, readiness: Readiness, onError: (error: unknown) => void) {
  const json = (response: ServerResponse, status: number, body: unknown): void =>
    send(response, status, 'application/json; charset=utf-8', JSON.stringify(body))
  const handlers = new Map<string, (response: ServerResponse) => Promise<void>>([
    ['/metrics', async (response) => send(response, 200, metrics.contentType, await metrics.text())],
    ['/healthz', async (response) => json(response, 200, { status: 'ok' })],
    [
      '/readyz',
      async (response) => {
        const report = await readiness()
        json(response, report.status === 'ready' ? 200 : 503, report)
      },
    ],
  ])
  return createHttpServer().on(
    'request',
    boundedPipeline((request, response) => {
      const handle = handlers.get(request.url?.split('?')[0] ?? '')
      if (handle === undefined) return json(response, 404, { status: 'not-found' })
      if (request.method !== 'GET') {
        response.setHeader('allow', 'GET')
        return json(response, 405, { status: 'method-not-allowed' })
      }
      handle(response).catch((error: unknown) => {
        onError(error)
        json(response, 500, { status: 'failed' })
      })
    }),
  )
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...apiHeaders, 'content-type': type }).end(text)
}

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
  const cached = cachedFor(30 * secondMs, read, () => performance.now())
  const seconds = (ms: number | undefined): number => (ms === undefined ? Infinity : (now() - ms) / 1_000)
  return {
    tezi_backup_age_seconds: async () => {
      const { reachedMs, baseMs, verifiedMs, oldestMs } = await cached()
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
