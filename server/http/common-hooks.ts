// Hooks of every request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseForeignOrigin } from './origin-guard.ts'
import { headersOf } from './security-headers.ts'

/** Sets the headers of every response, rejects foreign origins and logs each request. */
export function addCommonHooks(app: FastifyInstance, publicOrigin: string | undefined): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOf(request.url)).header('x-request-id', request.id)
    refuseForeignOrigin(request, publicOrigin)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The path without its query, because people paste secrets into queries.
    const entry = {
      method: request.method,
      path: pathForLog(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
    }
    request.log.info(entry, 'request')
    done()
  })
}

function pathForLog(request: FastifyRequest): string {
  return request.routeOptions.url ?? (request.url.split('?')[0] ?? '').slice(0, 200)
}
