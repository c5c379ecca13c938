// Metrics with prom-client, in a separate registry.
import { Counter, Gauge, Registry, type Metric } from 'prom-client'
import { catalogue, type MetricName } from './catalogue.ts'
import type { Metrics, MetricsText, Readers, Sample } from './metrics.ts'
import { requestCounts, type RequestCounts } from './request-counts.ts'

export interface PrometheusOptions {
  readonly onError: (error: unknown) => void
  /** Timeout of one reader. */
  readonly readTimeoutMs?: number
}

type Reader = () => number | readonly Sample[] | Promise<number | readonly Sample[]>

const readTimeoutMsDefault = 2_000

/** Requests, and the metrics of the catalogue that have a reader. */
export function prometheusMetrics({ onError, readTimeoutMs = readTimeoutMsDefault }: PrometheusOptions): Metrics & MetricsText {
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
