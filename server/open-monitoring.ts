// The monitoring port of a process, separate from the site: metrics, liveness and readiness, without a session.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config/config.ts'
import { boundedPipeline, createHttpServer } from './http/listener.ts'
import { missingNames, type Readiness } from './http/readiness.ts'
import { apiHeaders } from './http/security-headers.ts'
import type { Metrics, MetricsText } from './metrics/metrics.ts'

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
  const server = monitoringServer({ metrics, readiness: () => readiness(), onError })
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

interface MonitoringServerOptions {
  readonly metrics: MetricsText
  readonly readiness: Readiness
  readonly onError: (error: unknown) => void
}

function monitoringServer({ metrics, readiness, onError }: MonitoringServerOptions) {
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
