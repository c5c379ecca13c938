// JSON client of a provider's HTTP API: with timeouts and rate limits, and every failure as a FeedError.
import type { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { pause } from './rate-limiter.ts'

export interface HttpOptions {
  /** Name of the provider in errors and logs. */
  readonly name: string
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Sent with every request; never logged. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** The fetch function; the global one if undefined. */
  readonly fetch?: typeof fetch
  /** Extracts the provider's reason for a rejection from its body, as plain text without keys. */
  readonly reasonOf?: (body: unknown) => string | undefined
  /** Called with the provider's clock, to the second, for every response. */
  readonly timeReceived?: (providerMs: number) => void
}

export interface HttpRequest<T> {
  readonly url: URL
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal
  /** Disables retries, for when no response is better than a late one. */
  readonly isOnce?: boolean
  /** Detects an error in a response with status 200, for providers that hide errors there. */
  readonly judge?: (body: unknown) => FeedError | undefined
  /** Extracts a result from an error response, for providers that respond with an error if there is no data. */
  readonly excuse?: (body: unknown) => T | undefined
  /** Sent as JSON with POST instead of GET; never logged. */
  readonly body?: unknown
  /** Sent as a form with POST instead of GET; never logged. */
  readonly form?: Readonly<Record<string, string>>
  /** Converts the text for the schema, for responses that are not JSON. */
  readonly read?: (text: string) => unknown
}

const defaultTimeoutMs = 15_000
/** Delays before retries of transient failures. */
const retryDelaysMs = [500, 2000]
/** A longer wait is the caller's decision. */
const longestWaitMs = 65_000
const waitWithoutAdviceMs = 30_000
const banWithoutAdviceMs = 120_000

function retryAfterMs(response: Response, nowMs: number): number | undefined {
  const header = response.headers.get('retry-after')
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** Client of one provider. Pauses are shared: a rate limit that one call hits applies to all others. */
export class HttpJson {
  readonly #options: HttpOptions
  readonly #timeoutMs: number
  #closedUntilMs = 0
  #isBanned = false

  constructor(options: HttpOptions) {
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  }

  /** The validated response. @throws FeedError, or the signal's reason when it is aborted */
  async get<T>(request: HttpRequest<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      await this.#waitForLeave(request.signal)
      try {
        return await this.#attempt(request)
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        const delayMs = retryDelaysMs[tries]
        const mayPass = error.kind === 'unreachable' || error.kind === 'malformed' || this.#heed(error)
        if (!mayPass || delayMs === undefined || request.isOnce === true) throw error
        this.#options.log(`${this.#options.name}: asked again`, { path: request.url.pathname, kind: error.kind })
        await pause(this.#options.clock, delayMs, request.signal)
      }
    }
  }

  /** A response as text; `unreachable` on a timeout, which includes the body. */
  async #load({ url, signal, body, form }: HttpRequest<unknown>): Promise<{ response: Response; text: string }> {
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
      if (Number.isFinite(providerMs)) this.#options.timeReceived?.(providerMs)
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
    const advice = retryAfterMs(response, this.#options.clock.now())
    if (status === 429)
      return new FeedError('limited', `${this.#options.name} takes no more requests for now`, {
        retryAfterMs: advice ?? waitWithoutAdviceMs,
      })
    if (status === 418) {
      return new FeedError('refused', `${this.#options.name} has banned this address for a while`, {
        retryAfterMs: advice ?? banWithoutAdviceMs,
      })
    }
    if (status >= 500) return new FeedError('unreachable', `${this.#options.name} is out of order (${status})`)
    const reason = this.#options.reasonOf?.(parseJson(text))
    return new FeedError('refused', `${this.#options.name} refused the request (${status})${reason === undefined ? '' : `: ${reason}`}`)
  }

  async #attempt<T>(request: HttpRequest<T>): Promise<T> {
    const { response, text } = await this.#load(request)
    const failed = this.#failure(response, text)
    if (failed !== undefined) {
      const excused = request.excuse?.(parseJson(text))
      if (excused !== undefined) return excused
      throw failed
    }
    const body = request.read === undefined ? parseJson(text) : request.read(text)
    const hidden = request.judge?.(body)
    if (hidden !== undefined) throw hidden
    const checked = request.schema.safeParse(body)
    if (!checked.success)
      throw new FeedError('malformed', `${this.#options.name} answered something that cannot be read`, { cause: checked.error })
    return checked.data
  }

  /** Records a pause requested by the provider; returns whether the call should be retried after `closedUntilMs`. */
  #heed(error: FeedError): boolean {
    if (error.retryAfterMs === undefined) return false
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#options.clock.monotonic() + error.retryAfterMs)
    this.#isBanned = error.kind === 'refused'
    this.#options.log(`${this.#options.name} wants a pause`, { kind: error.kind, seconds: Math.ceil(error.retryAfterMs / 1000) })
    return error.kind === 'limited' && error.retryAfterMs <= longestWaitMs
  }

  async #waitForLeave(signal: AbortSignal | undefined): Promise<void> {
    for (
      let waitMs = this.#closedUntilMs - this.#options.clock.monotonic();
      waitMs > 0;
      waitMs = this.#closedUntilMs - this.#options.clock.monotonic()
    ) {
      if (this.#isBanned)
        throw new FeedError('refused', `${this.#options.name} has banned this address for a while`, { retryAfterMs: waitMs })
      if (waitMs > longestWaitMs)
        throw new FeedError('limited', `${this.#options.name} takes no more requests for now`, { retryAfterMs: waitMs })
      await pause(this.#options.clock, waitMs, signal)
    }
    this.#isBanned = false
  }
}
