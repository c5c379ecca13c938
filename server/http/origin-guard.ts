// Refuses state changes that another site's page asks for, before anything else looks at them.
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Browsers name the asking site in Origin and Sec-Fetch-Site; programs that name none are no browsers and carry no
 * cookie of a victim. The allowed origin is the configured one or, where none is, the host that was asked.
 * @throws AppError forbidden.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign()
  const origin = request.headers.origin
  if (!isOwnOrigin(origin, request.headers.host, publicOrigin)) throw foreign()
}

/** Whether an Origin header names our own site, or is none at all, as programs send none. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, publicOrigin: string | undefined): boolean {
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return URL.canParse(origin) && new URL(origin).host === host
}

function foreign(): AppError {
  return new AppError('forbidden', httpText.foreignOrigin, { code: 'http.foreign-origin' })
}
