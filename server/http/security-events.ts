// Security events of requests in the log: rate limits, foreign origins and bad tokens, counted by kind and address.
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { minuteMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import { ipRateLimitKey } from './rate-limit-key.ts'

export type SecurityEvent = 'rate limit' | 'foreign origin' | 'bad token'

/** Beyond it, addresses share one line for each kind. */
const countedMax = 10_000

interface Counted {
  readonly event: SecurityEvent
  readonly address: string
  count: number
  path: string
}

export class SecurityEvents {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #counted = new Map<string, Counted>()
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
    const from = this.#counted.size < countedMax || this.#counted.has(`${event} ${address}`) ? address : 'others'
    const key = `${event} ${from}`
    const known = this.#counted.get(key)
    if (known !== undefined) {
      known.count += 1
      known.path = path
      return
    }
    const first = { event, address: from, count: 1, path }
    this.#counted.set(key, first)
    this.#write(first)
  }

  /** Logs what has been counted since the last line; a kind and address without an event begin anew. */
  flush(): void {
    for (const [key, one] of this.#counted) {
      if (one.count === 0) this.#counted.delete(key)
      else this.#write(one)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.flush()
  }

  #write(one: Counted): void {
    if (one.count > 0) this.#log.warn({ ...one }, 'security event')
    one.count = 0
  }
}

function eventOf(error: AppError, request: FastifyRequest): SecurityEvent | undefined {
  if (error.kind === 'too-many') return 'rate limit'
  if (error.said.code === 'http.foreignOrigin') return 'foreign origin'
  const isToken = error.kind === 'unauthenticated' && request.headers['session-token'] !== undefined
  // Links in mails: their forms have this field only.
  return isToken || error.details.fields?.['token'] !== undefined ? 'bad token' : undefined
}
