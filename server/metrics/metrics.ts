// The metrics, and the port to them: features register functions that read their values; only requests are counted as they happen.

/** Every metric: name, kind, labels and meaning. Labels have few values, and none comes from a user; Prometheus adds job and instance. */
export const catalogue = {
  tezi_http_requests_total: {
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests by route template and status; route "other" is pages and unknown paths.',
  },
  tezi_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['method', 'route'],
    help: 'Time from the request to the end of its response.',
  },
  tezi_database_connections: { type: 'gauge', labels: ['state'], help: 'Connections of the pool; state is used or idle.' },
  tezi_database_connections_max: { type: 'gauge', labels: [], help: 'Connections that the pool may have.' },
  tezi_database_waiting: { type: 'gauge', labels: [], help: 'Callers that wait for a connection.' },
  tezi_replica_reads_total: {
    type: 'counter',
    labels: ['server'],
    help: 'Long reads of candles with DATABASE_REPLICA_URL; server is replica, or primary where the replica could not serve them.',
  },
  tezi_live_sockets: { type: 'gauge', labels: [], help: 'Open sockets of live candles.' },
  tezi_live_frames_sent_total: { type: 'counter', labels: [], help: 'Frames sent to sockets.' },
  tezi_live_deliveries: {
    type: 'gauge',
    labels: ['state'],
    help: 'Sockets that wait for their turn (ready), or until their line or their user may take more (blocked).',
  },
  tezi_password_hashes: {
    type: 'gauge',
    labels: ['queue', 'state'],
    help: 'Password hashes; queue is sign-in or other, state is running or waiting.',
  },
  tezi_market_hub: {
    type: 'gauge',
    labels: ['place'],
    help: '1 for where the market data is made: here (this process has the lease), standby, elsewhere or silent.',
  },
  tezi_market_data_age_seconds: {
    type: 'gauge',
    labels: ['series', 'source'],
    help: 'Time since the source last sent something new; also grows while the market is closed.',
  },
  tezi_market_series_stale: {
    type: 'gauge',
    labels: ['series', 'source'],
    help: '1 while the source of a watched series is silent or cut in trading hours, or none has answered yet; source is none where there is none.',
  },
  tezi_job_runs_total: { type: 'counter', labels: ['name', 'result'], help: 'Runs of a job; result is success, skipped or failed.' },
  tezi_job_last_success_timestamp_seconds: { type: 'gauge', labels: ['name'], help: 'When the job last succeeded, in Unix time.' },
  tezi_backup_age_seconds: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Age of the last good backup in BACKUP_DIR; kind is changes (what a restore reaches), base or verified. +Inf without one.',
  },
  tezi_mails_total: { type: 'counter', labels: ['result'], help: 'Mails; result is sent or failed.' },
  tezi_mails_under_way: { type: 'gauge', labels: [], help: 'Mails that the mail server has not taken yet.' },
  tezi_subscriptions: {
    type: 'gauge',
    labels: ['state'],
    help: 'Users by subscription: pending, active, overdue (ended, not marked yet) or cancelled. At most a minute old.',
  },
  tezi_missing: {
    type: 'gauge',
    labels: ['name'],
    help: '1 for what /readyz calls missing or failing: database, writes, redis, market-hub, prices.',
  },
  tezi_event_loop_delay_seconds: {
    type: 'gauge',
    labels: ['statistic'],
    help: 'How late the event loop was since the last scrape; statistic is median, p99 or max.',
  },
  process_cpu_seconds_total: { type: 'counter', labels: [], help: 'Processor time, user and system.' },
  process_resident_memory_bytes: { type: 'gauge', labels: [], help: 'Memory of the process.' },
  nodejs_heap_size_used_bytes: { type: 'gauge', labels: [], help: 'Memory of the JavaScript heap that is in use.' },
  process_start_time_seconds: { type: 'gauge', labels: [], help: 'When the process started, in Unix time.' },
  tezi_metric_read_failures_total: { type: 'counter', labels: ['metric'], help: 'Metrics that could not be read and are left out.' },
} as const satisfies Readonly<
  Record<string, { readonly type: 'counter' | 'gauge' | 'histogram'; readonly labels: readonly string[]; readonly help: string }>
>

export type MetricName = keyof typeof catalogue

type LabelOf<Name extends MetricName> = (typeof catalogue)[Name]['labels'][number]

type ReadName = Exclude<MetricName, 'tezi_http_requests_total' | 'tezi_http_request_duration_seconds' | 'tezi_metric_read_failures_total'>

export interface Sample<Label extends string = string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** One sample for each key of a record, under one label. */
export function samplesBy<Label extends string>(label: Label, values: Readonly<Record<string, number>>): Sample<Label>[] {
  return Object.entries(values).map(([key, value]) => ({ labels: { [label]: key } as Record<Label, string>, value }))
}

type Reading<Name extends MetricName> = [LabelOf<Name>] extends [never] ? number : readonly Sample<LabelOf<Name>>[]

/** By metric: reads its current values. One that fails is skipped. */
export type Readers = { readonly [Name in ReadName]?: () => Reading<Name> | Promise<Reading<Name>> }

export interface RequestSample {
  readonly method: string
  /** The route's template, such as `/api/v1/plans/:type`; undefined for pages and unknown paths. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** All metrics as text, for a scraper. */
export interface MetricsText {
  readonly contentType: string
  /** Concurrent calls share one reading. */
  text(): Promise<string>
}

export interface Metrics {
  /** Registers functions that are called for each scrape. */
  read(readers: Readers): void
  countRequest(request: RequestSample): void
}

/** A reading that is expensive is made at most once per `ms`; errors are not cached. */
export function cachedFor<T>(ms: number, read: () => Promise<T>, monotonic: () => number): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly sinceMs: number } | undefined
  return () => {
    if (cached === undefined || monotonic() - cached.sinceMs >= ms) {
      const fresh = { value: read(), sinceMs: monotonic() }
      cached = fresh
      fresh.value.catch(() => {
        if (cached === fresh) cached = undefined
      })
    }
    return cached.value
  }
}
