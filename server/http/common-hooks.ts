// Hooks of every request.
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/metrics/metrics.ts'
import { refuseForeignOrigin } from './origin-guard.ts'
import { headersOf } from './security-headers.ts'

export interface CommonHooksOptions {
  readonly publicOrigin: string | undefined
  readonly metrics: Metrics | undefined
}

/** Sets the headers of every response, rejects foreign origins, logs and counts each request. */
export function addCommonHooks(app: FastifyInstance, { publicOrigin, metrics }: CommonHooksOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOf(request.url)).header('x-request-id', request.id)
    refuseForeignOrigin(request, publicOrigin)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url
    // The path without its query, because people paste secrets into queries.
    const entry = {
      method: request.method,
      path: route ?? (request.url.split('?')[0] ?? '').slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
    }
    request.log.info(entry, 'request')
    metrics?.countRequest({
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    })
    done()
  })
}
