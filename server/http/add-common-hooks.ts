// Hooks of every request: security headers, protection against CSRF, metrics and log.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '#server/metrics/metrics.ts'
import { AppError } from '#shared/http/app-error.ts'
import { headersOf } from './security-headers.ts'

/** Logs all failures, and the fraction `logShare` of the other requests. */
export function addCommonHooks(
  app: FastifyInstance,
  { publicOrigin, metrics, logShare }: { publicOrigin: string | undefined; metrics: Metrics | undefined; logShare: number },
): void {
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
    metrics?.countRequest({ method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 })
    done()
  })
}

/** Whether a request is logged; errors always are. Decided by the random id, so it needs no state and all processes agree. */
export function shouldLogRequest({ status, id }: { readonly status: number; readonly id: string }, share: number): boolean {
  return status >= 400 || Number.parseInt(id.slice(0, 8), 16) < share * 2 ** 32
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Protection against CSRF: rejects cross-site state changes before any other processing.
 * Browsers send the requesting site in Origin and Sec-Fetch-Site; programs that send neither are not browsers and carry no
 * cookie of a victim. The allowed origin is the configured one or, by default, the host of the request.
 * @throws AppError forbidden
 */
export function rejectForeignOrigin(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (!isSameSite || !isOwnOrigin(request.headers.origin, request.headers.host, publicOrigin))
    throw new AppError('forbidden', 'http.foreignOrigin')
}

/** Whether an Origin header is our own site or absent, as programs send none. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicOrigin: string | undefined): boolean {
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return URL.canParse(origin) && new URL(origin).host === host
}
