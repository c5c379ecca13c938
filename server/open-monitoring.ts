// Opens the monitoring port of a process, where METRICS_PORT says so.
import type { Config } from './config.ts'
import type { Readiness } from './http/readiness.ts'
import type { Metrics } from './metrics/metrics.ts'

export interface Monitoring {
  readonly metrics: Metrics
  /** Where the metrics are. */
  readonly url: string
  /** Until it is called, `/readyz` answers that the process starts. */
  setReadiness(readiness: Readiness): void
}

export interface OpenMonitoringOptions {
  readonly config: Pick<Config, 'metrics'>
  readonly onError: (error: unknown) => void
  readonly opened: AsyncDisposableStack
}

/** Listens at once, so that a process that starts is seen; undefined where monitoring is off. */
export async function openMonitoring({ config, onError, opened }: OpenMonitoringOptions): Promise<Monitoring | undefined> {
  if (config.metrics === undefined) return undefined
  // Processes without metrics do not load what makes them.
  const { prometheusMetrics } = await import('./metrics/prometheus.ts')
  const { processReaders } = await import('./metrics/process-readers.ts')
  const { openMonitoringPort } = await import('./metrics/monitoring-port.ts')
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
          return (['database', 'redis', 'market-hub'] as const).map((name) => ({ labels: { name }, value: missing.includes(name) ? 1 : 0 }))
        },
      })
    },
  }
}
