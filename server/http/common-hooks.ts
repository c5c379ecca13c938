// Hooks of every request.
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/metrics/metrics.ts'
import { rejectForeignOrigin } from './csrf.ts'
import { headersOf } from './security-headers.ts'

export interface CommonHooksOptions {
  readonly publicOrigin: string | undefined
  readonly metrics: Metrics | undefined
  /** Fraction of successful requests that is logged. */
  readonly logShare: number
}

/** Sets the headers of every response, rejects foreign origins, counts each request, logs all failures and this fraction of the rest. */
export function addCommonHooks(app: FastifyInstance, { publicOrigin, metrics, logShare }: CommonHooksOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOf(request.url)).header('x-request-id', request.id)
    rejectForeignOrigin(request, publicOrigin)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url
    // The path without its query, which may contain pasted secrets.
    const entry = {
      method: request.method,
      path: route ?? (request.url.split('?')[0] ?? '').slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
    }
    if (shouldLogRequest({ status: reply.statusCode, id: request.id }, logShare)) request.log.info(entry, 'request')
    metrics?.countRequest({
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    })
    done()
  })
}

/** Whether a request is logged; errors always are. Decided by the random id, so it needs no state and all processes agree. */
export function shouldLogRequest({ status, id }: { readonly status: number; readonly id: string }, share: number): boolean {
  return status >= 400 || Number.parseInt(id.slice(0, 8), 16) < share * 2 ** 32
}
