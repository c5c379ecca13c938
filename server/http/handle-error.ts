// Maps all errors to HTTP responses, where bugs expose only their request id, and logs security events.
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { minuteMs } from '#shared/base/durations.ts'
import { statusByKind, type ErrorKind } from '#shared/http/api-error.ts'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import type { PlainCode } from '#shared/messages/message.ts'
import { OutageError } from '../outages/outage-error.ts'
import { ipRateLimitKey } from './rate-limiter.ts'
import { clearCacheHeader } from './session.ts'

/** Restarts and failovers take seconds; earlier retries only add load. */
const outageRetrySeconds = 2

/** Fastify's error handler. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = expectedError(error)
  if (error instanceof OutageError) {
    request.log.error({ component: error.component }, error.message)
    sendProblem(reply, new AppError('unavailable', 'http.unavailable', { retryAfterSeconds: outageRetrySeconds }), request.id)
    return
  }
  if (known === undefined) {
    request.log.error({ err: error }, 'request failed')
    sendProblem(reply, new AppError('internal', 'http.internal'), request.id)
    return
  }
  if (request.headers['session-token'] !== undefined && known.wireMessage.code.startsWith('auth.session')) reply.header(...clearCacheHeader)
  if (known.status >= 500) request.log.warn({ code: known.wireMessage.code }, 'request refused')
  sendProblem(reply, known, known.status >= 500 ? request.id : undefined)
}

function sendProblem(reply: FastifyReply, error: AppError, requestId: string | undefined): void {
  if (error.details.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.details.retryAfterSeconds))
  reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send(problemOf(error, requestId))
}

const textByKind: Partial<Record<ErrorKind, PlainCode>> = {
  invalid: 'http.badRequest',
  'not-found': 'http.notFound',
  'too-large': 'http.tooLarge',
  'unsupported-media': 'http.unsupportedMedia',
}

/** The expected error that another error means; undefined for real bugs. */
function expectedError(error: Error & { statusCode?: number; code?: string }): AppError | undefined {
  if (error instanceof AppError) return error
  // A reference to an account that was erased during the call (PostgreSQL's 23503): the user is no longer signed in.
  if (error.code === '23503') return new AppError('unauthenticated', 'auth.sessionMissing')
  // Errors of the framework itself: broken JSON, size, media type.
  const status = error.statusCode
  if (status === undefined || status >= 500 || status < 400) return undefined
  const kind = (Object.keys(statusByKind) as ErrorKind[]).find((name) => statusByKind[name] === status) ?? 'invalid'
  return new AppError(kind, textByKind[kind] ?? 'http.badRequest')
}

export type SecurityEvent = 'rate limit' | 'foreign origin' | 'bad token'

/** Beyond it, addresses share one line for each kind. */
const countersMax = 10_000

interface EventCount {
  readonly event: SecurityEvent
  readonly address: string
  count: number
  path: string
}

/** Rate limits, foreign origins and bad tokens in the log, counted by kind and address. */
export class SecurityEvents {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #counters = new Map<string, EventCount>()
  readonly #timer: NodeJS.Timeout

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log
    this.#timer = setInterval(() => this.flush(), minuteMs)
    this.#timer.unref()
  }

  /** Notes the event of an error, if it is one. */
  noteError(error: unknown, request: FastifyRequest): void {
    const event = error instanceof AppError ? eventOf(error, request) : undefined
    if (event !== undefined) this.note(event, ipRateLimitKey(request.ip), request.routeOptions.url ?? '')
  }

  /** The first event of a kind and address is logged at once, later ones with their number once a minute. */
  note(event: SecurityEvent, address: string, path: string): void {
    const from = this.#counters.size < countersMax || this.#counters.has(`${event} ${address}`) ? address : 'others'
    const key = `${event} ${from}`
    const known = this.#counters.get(key)
    if (known !== undefined) {
      known.count += 1
      known.path = path
      return
    }
    const first = { event, address: from, count: 1, path }
    this.#counters.set(key, first)
    this.#write(first)
  }

  /** Logs what has been counted since the last line; a kind and address without an event is counted from zero again. */
  flush(): void {
    for (const [key, event] of this.#counters) {
      if (event.count === 0) this.#counters.delete(key)
      else this.#write(event)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.flush()
  }

  #write(event: EventCount): void {
    if (event.count > 0) this.#log.warn({ ...event }, 'security event')
    event.count = 0
  }
}

function eventOf(error: AppError, request: FastifyRequest): SecurityEvent | undefined {
  if (error.kind === 'too-many') return 'rate limit'
  if (error.wireMessage.code === 'http.foreignOrigin') return 'foreign origin'
  const isToken = error.kind === 'unauthenticated' && request.headers['session-token'] !== undefined
  // Links in mails: their forms have this field only.
  return isToken || error.details.fields?.['token'] !== undefined ? 'bad token' : undefined
}
