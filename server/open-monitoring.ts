// Opens the monitoring port of a process if METRICS_PORT is set.
import type { Config } from './config/config.ts'
import { missingNames, type Readiness } from './http/readiness.ts'
import type { Metrics } from './metrics/metrics.ts'

export interface Monitoring {
  readonly metrics: Metrics
  /** URL of the metrics. */
  readonly url: string
  /** Until it is called, `/readyz` reports that the process is starting. */
  setReadiness(readiness: Readiness): void
}

export interface OpenMonitoringOptions {
  readonly config: Pick<Config, 'metrics'>
  readonly onError: (error: unknown) => void
  readonly opened: AsyncDisposableStack
}

/** Listens immediately, so that a starting process is visible; undefined if monitoring is off. */
export async function openMonitoring({ config, onError, opened }: OpenMonitoringOptions): Promise<Monitoring | undefined> {
  if (config.metrics === undefined) return undefined
  // Lazy: processes without metrics do not load the library.
  const { prometheusMetrics } = await import('./metrics/prometheus.ts')
  const { processReaders } = await import('./metrics/process-readers.ts')
  const { openMonitoringPort } = await import('./http/monitoring-port.ts')
  const metrics = prometheusMetrics({ onError })
  metrics.read(processReaders())
  let readiness: Readiness = () => Promise.resolve({ status: 'starting', missing: [] })
  const port = await openMonitoringPort({ ...config.metrics, metrics, readiness: () => readiness(), onError })
  opened.defer(() => port.close())
  const { address, family, port: number } = port.address
  return {
    metrics,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${number}/metrics`,
    setReadiness(asked) {
      readiness = asked
      metrics.read({
        tezi_missing: async () => {
          const { missing } = await asked()
          return missingNames.map((name) => ({ labels: { name }, value: missing.includes(name) ? 1 : 0 }))
        },
      })
    },
  }
}
