// CSRF protection: rejects cross-site state changes before any other processing.
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/http/app-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Browsers send the requesting site in Origin and Sec-Fetch-Site; programs that send neither are not browsers and carry no
 * cookie of a victim. The allowed origin is the configured one or, by default, the host of the request.
 * @throws AppError forbidden
 */
export function rejectForeignOrigin(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign()
  const origin = request.headers.origin
  if (!isOwnOrigin(origin, request.headers.host, publicOrigin)) throw foreign()
}

/** Whether an Origin header is our own site or absent, as programs send none. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicOrigin: string | undefined): boolean {
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return URL.canParse(origin) && new URL(origin).host === host
}

function foreign(): AppError {
  return new AppError('forbidden', 'http.foreignOrigin')
}
