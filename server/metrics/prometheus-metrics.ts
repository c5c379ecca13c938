// Metrics with the Prometheus client, in a separate registry.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Registry, type Metric } from '@prometheus-io/client'
import { catalogue, type MetricName, type Metrics, type MetricsText, type Readers, type RequestSample, type Sample } from './metrics.ts'

type Reader = () => number | readonly Sample[] | Promise<number | readonly Sample[]>

/** Requests, and the metrics of the catalogue that have a reader; `readTimeoutMs` is the timeout of one. */
export function prometheusMetrics({
  onError,
  readTimeoutMs = 2_000,
}: {
  readonly onError: (error: unknown) => void
  readonly readTimeoutMs?: number
}): Metrics & MetricsText {
  const registry = new Registry()
  const optionsOf = (name: MetricName) => ({
    name,
    help: catalogue[name].help,
    labelNames: [...catalogue[name].labels],
    registers: [registry],
  })
  const requests = requestCounts()
  const failures = new Counter(optionsOf('tezi_metric_read_failures_total'))

  async function samplesOf(metric: MetricName, read: Reader): Promise<readonly Sample[]> {
    try {
      const reading = await within(readTimeoutMs, async () => read())
      return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading
    } catch (error) {
      failures.inc({ metric })
      onError(error)
      return []
    }
  }

  function addReader(name: MetricName, read: Reader): void {
    const metric =
      catalogue[name].type === 'counter' ? new Counter({ ...optionsOf(name), collect }) : new Gauge({ ...optionsOf(name), collect })
    async function collect(): Promise<void> {
      const samples = await samplesOf(name, read)
      metric.reset()
      // A reset metric without labels would be reported as 0, which would be wrong.
      if (samples.length === 0 && catalogue[name].labels.length === 0) metric.remove()
      for (const { labels, value } of samples) metric.inc(labels, value)
    }
  }

  addReader('tezi_http_requests_total', () => requests.totals())
  registry.registerMetric(histogramOf('tezi_http_request_duration_seconds', () => requests.durations()))

  let running: Promise<string> | undefined
  return {
    contentType: registry.contentType,
    read(readers: Readers) {
      for (const [name, read] of Object.entries(readers)) addReader(name as MetricName, read)
    },
    countRequest: (request) => requests.count(request),
    text() {
      running ??= registry.metrics().finally(() => (running = undefined))
      return running
    },
  }
}

/** A histogram that was counted elsewhere, in the registry's format. */
function histogramOf(name: MetricName, read: RequestCounts['durations']): Metric {
  const { help, type } = catalogue[name]
  const values = () => read().map(({ suffix, sample }) => ({ metricName: `${name}${suffix}`, ...sample }))
  return { name, get: () => Promise.resolve({ name, help, type, aggregator: 'sum', values: values() }) } as unknown as Metric
}

async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([work(), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Cell {
  readonly labels: { readonly method: string; readonly route: string }
  readonly statuses: Map<number, number>
  /** Requests by bucket; the last one is the overflow. */
  readonly buckets: number[]
  seconds: number
}

interface RequestCounts {
  count(request: RequestSample): void
  /** Request totals. */
  totals(): Sample<'method' | 'route' | 'status'>[]
  /** Samples of a Prometheus histogram: cumulative buckets, count and sum of seconds. */
  durations(): readonly { readonly suffix: '_bucket' | '_count' | '_sum'; readonly sample: Sample }[]
}

/** Counts requests by route, method and status with a few lookups and no allocations: the library's counters are several times slower. */
function requestCounts(): RequestCounts {
  const routes = new Map<string, Map<string, Cell>>()
  const cells = (): Cell[] => [...routes.values()].flatMap((byMethod) => [...byMethod.values()])

  function addCell(route: string, method: string): Cell {
    const cell = { labels: { method, route }, statuses: new Map<number, number>(), buckets: bounds.map(() => 0).concat(0), seconds: 0 }
    const byMethod = routes.get(route) ?? new Map<string, Cell>()
    routes.set(route, byMethod.set(method, cell))
    return cell
  }

  return {
    count({ method, route = 'other', status, seconds }) {
      const known = methods.has(method) ? method : 'other'
      const cell = routes.get(route)?.get(known) ?? addCell(route, known)
      cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1)
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket += 1
      cell.buckets[bucket] = (cell.buckets[bucket] ?? 0) + 1
      cell.seconds += seconds
    },
    totals: () =>
      cells().flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
      ),
    durations: () =>
      cells().flatMap(({ labels, buckets, seconds }) => {
        let total = 0
        const cumulative = buckets.map((value, index) => {
          total += value
          return { suffix: '_bucket' as const, sample: { labels: { ...labels, le: String(bounds[index] ?? '+Inf') }, value: total } }
        })
        return [
          ...cumulative,
          { suffix: '_count' as const, sample: { labels, value: total } },
          { suffix: '_sum' as const, sample: { labels, value: seconds } },
        ]
      }),
  }
}

const eventLoopResolutionMs = 20

/** Readers of this process, instead of the library's larger default set; measures the event loop from now on. */
export function processReaders(): Readers {
  const delays = monitorEventLoopDelay({ resolution: eventLoopResolutionMs })
  delays.enable()
  // The histogram has the time between two samples, in nanoseconds.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - eventLoopResolutionMs / 1e3)
  return {
    tezi_event_loop_delay_seconds: () => {
      const samples = Object.entries({ median: delays.percentile(50), p99: delays.percentile(99), max: delays.max })
      delays.reset()
      return samples.map(([statistic, value]) => ({ labels: { statistic }, value: seconds(value) }))
    },
    process_cpu_seconds_total: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    process_resident_memory_bytes: () => process.memoryUsage.rss(),
    nodejs_heap_size_used_bytes: () => process.memoryUsage().heapUsed,
    process_start_time_seconds: () => performance.timeOrigin / 1e3,
  }
}
