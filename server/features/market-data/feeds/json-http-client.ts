// JSON client of a provider's HTTP API: with timeouts and rate limits, and every failure as a FeedError.
import type { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { feedRateLimiter, pause, type FeedRateLimiter, type RequestLimit } from './feed-rate-limiter.ts'
import type { ProviderClock } from './provider-clock.ts'

export interface JsonHttpClientOptions {
  /** Name of the provider in errors and logs. */
  readonly name: string
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Sent with every request; never logged. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** The fetch function; the global one if undefined. */
  readonly fetch?: typeof fetch | undefined
  /** Extracts the provider's reason for a rejection from its body, as plain text without keys. */
  readonly reasonOf?: (body: unknown) => string | undefined
  /** Samples the provider's clock, to the second, from every response. */
  readonly time?: ProviderClock
  /** Of all calls but those with `isOnce`; unlimited if undefined. */
  readonly limits?: readonly RequestLimit[]
  /** A call that would wait longer for its slot is rejected. */
  readonly limitWaitMaxMs?: number
}

export interface JsonRequest<T> {
  readonly url: URL
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal | undefined
  /** Without retries and outside the rate limit, for when no response is better than a late one. */
  readonly isOnce?: boolean
  /** Detects an error in a response with status 200, for providers that hide errors there. */
  readonly findError?: (body: unknown) => FeedError | undefined
  /** Extracts a result from an error response, for providers that respond with an error if there is no data. */
  readonly recover?: (body: unknown) => T | undefined
  /** Sent as JSON with POST instead of GET; never logged. */
  readonly body?: unknown
  /** Sent as a form with POST instead of GET; never logged. */
  readonly form?: Readonly<Record<string, string>>
  /** Converts the text for the schema, for responses that are not JSON. */
  readonly decode?: (text: string) => unknown
}

const defaultTimeoutMs = 15_000
const defaultLimitWaitMaxMs = 60_000
/** Delays before retries of transient failures. */
const retryDelaysMs = [500, 2000]
/** A longer wait is the caller's decision. */
const waitMaxMs = 65_000
const defaultWaitMs = 30_000
const defaultBanMs = 120_000

function retryAfterMs(response: Response, nowMs: number): number | undefined {
  const header = response.headers.get('retry-after')
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** Client of one provider. Pauses are shared: a rate limit that one call hits applies to all others. */
export class JsonHttpClient {
  readonly #options: JsonHttpClientOptions
  readonly #timeoutMs: number
  readonly #limiter: FeedRateLimiter | undefined
  #pausedUntilMs = 0
  #isBanned = false

  constructor(options: JsonHttpClientOptions) {
    this.#options = options
    const { timeoutMs = defaultTimeoutMs, limits, limitWaitMaxMs = defaultLimitWaitMaxMs, clock } = options
    this.#timeoutMs = timeoutMs
    this.#limiter = limits && feedRateLimiter({ limits, waitMaxMs: limitWaitMaxMs, clock })
  }

  /** The validated response. @throws FeedError, or the signal's reason when it is aborted */
  async get<T>(request: JsonRequest<T>): Promise<T> {
    if (request.isOnce !== true) await this.#limiter?.(request.signal)
    for (let tries = 0; ; tries += 1) {
      await this.#waitForPause(request.signal)
      try {
        return await this.#attempt(request)
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        const delayMs = retryDelaysMs[tries]
        const mayPass = error.kind === 'unreachable' || error.kind === 'malformed' || this.#recordPause(error)
        if (!mayPass || delayMs === undefined || request.isOnce === true) throw error
        this.#options.log(`${this.#options.name}: asked again`, { path: request.url.pathname, kind: error.kind })
        await pause(this.#options.clock, delayMs, request.signal)
      }
    }
  }

  /** A response as text; `unreachable` on a timeout, which includes the body. */
  async #load({ url, signal, body, form }: JsonRequest<unknown>): Promise<{ response: Response; text: string }> {
    const limit = new AbortController()
    const stop = this.#options.clock.after(this.#timeoutMs, () => limit.abort())
    try {
      const response = await (this.#options.fetch ?? fetch)(url, {
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...this.#options.headers,
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
        redirect: 'error',
      })
      const text = await response.text()
      const providerMs = Date.parse(response.headers.get('date') ?? '')
      if (Number.isFinite(providerMs)) this.#options.time?.sample(providerMs)
      return { response, text }
    } catch (error) {
      signal?.throwIfAborted()
      const what = limit.signal.aborted ? `did not answer within ${this.#timeoutMs / 1000} s` : 'cannot be reached'
      throw new FeedError('unreachable', `${this.#options.name} ${what}`, { cause: error })
    } finally {
      stop()
    }
  }

  #failure(response: Response, text: string): FeedError | undefined {
    const { status } = response
    if (status >= 200 && status < 300) return undefined
    const waitMs = retryAfterMs(response, this.#options.clock.now())
    if (status === 429) return this.#limited(waitMs ?? defaultWaitMs)
    if (status === 418) return this.#banned(waitMs ?? defaultBanMs)
    if (status >= 500) return new FeedError('unreachable', `${this.#options.name} is out of order (${status})`)
    const reason = this.#options.reasonOf?.(parseJson(text))
    return new FeedError('refused', `${this.#options.name} refused the request (${status})${reason === undefined ? '' : `: ${reason}`}`)
  }

  #limited(retryAfterMs: number): FeedError {
    return new FeedError('limited', `${this.#options.name} takes no more requests for now`, { retryAfterMs })
  }

  #banned(retryAfterMs: number): FeedError {
    return new FeedError('refused', `${this.#options.name} has banned this address for a while`, { retryAfterMs })
  }

  async #attempt<T>(request: JsonRequest<T>): Promise<T> {
    const { response, text } = await this.#load(request)
    const failure = this.#failure(response, text)
    if (failure !== undefined) {
      const recovered = request.recover?.(parseJson(text))
      if (recovered !== undefined) return recovered
      throw failure
    }
    const body = (request.decode ?? parseJson)(text)
    const hiddenError = request.findError?.(body)
    if (hiddenError !== undefined) throw hiddenError
    const checked = request.schema.safeParse(body)
    if (!checked.success)
      throw new FeedError('malformed', `${this.#options.name} answered something that cannot be read`, { cause: checked.error })
    return checked.data
  }

  /** Records a pause requested by the provider; returns whether the call should be retried after the pause. */
  #recordPause(error: FeedError): boolean {
    if (error.retryAfterMs === undefined) return false
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#options.clock.monotonic() + error.retryAfterMs)
    this.#isBanned = error.kind === 'refused'
    this.#options.log(`${this.#options.name} wants a pause`, { kind: error.kind, seconds: Math.ceil(error.retryAfterMs / 1000) })
    return error.kind === 'limited' && error.retryAfterMs <= waitMaxMs
  }

  async #waitForPause(signal: AbortSignal | undefined): Promise<void> {
    const leftMs = (): number => this.#pausedUntilMs - this.#options.clock.monotonic()
    for (let waitMs = leftMs(); waitMs > 0; waitMs = leftMs()) {
      if (this.#isBanned) throw this.#banned(waitMs)
      if (waitMs > waitMaxMs) throw this.#limited(waitMs)
      await pause(this.#options.clock, waitMs, signal)
    }
    this.#isBanned = false
  }
}
