// The monitoring port, separate from the site: metrics, liveness and readiness, without a session.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { boundedPipeline, createHttpServer } from '#server/http/listener.ts'
import type { Readiness } from '#server/http/readiness.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { MetricsText } from '../metrics/metrics.ts'

export interface MonitoringPortOptions {
  readonly host: string
  readonly port: number
  readonly metrics: MetricsText
  /** Called for each `/readyz` request. */
  readonly readiness: Readiness
  readonly onError: (error: unknown) => void
}

export interface MonitoringPort {
  readonly address: AddressInfo
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Listens; rejects if the address is in use. */
export async function openMonitoringPort({ host, port, metrics, readiness, onError }: MonitoringPortOptions): Promise<MonitoringPort> {
  const answers = new Map<string, () => Promise<Answer>>([
    ['/metrics', async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() })],
    ['/healthz', () => Promise.resolve(json(200, { status: 'ok' }))],
    [
      '/readyz',
      async () => {
        const report = await readiness()
        return json(report.status === 'ready' ? 200 : 503, report)
      },
    ],
  ])
  const server = createHttpServer()
  server.on(
    'request',
    boundedPipeline((request, response) => {
      const answer = answers.get(request.url?.split('?')[0] ?? '')
      if (answer === undefined) return send(response, json(404, { status: 'not-found' }))
      if (request.method !== 'GET') {
        response.setHeader('allow', 'GET')
        return send(response, json(405, { status: 'method-not-allowed' }))
      }
      answer().then(
        (found) => send(response, found),
        (error: unknown) => {
          onError(error)
          send(response, json(500, { status: 'failed' }))
        },
      )
    }),
  )
  server.listen(port, host)
  await once(server, 'listening')
  return {
    address: server.address() as AddressInfo,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(body),
})

function send(response: ServerResponse, { status, type, text }: Answer): void {
  response.writeHead(status, { ...apiHeaders, 'content-type': type }).end(text)
}
