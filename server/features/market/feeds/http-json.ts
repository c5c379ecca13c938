// Asks a provider's HTTP interface for JSON: with a time limit, within its limits, and with every failure as a FeedError.
import type { z } from 'zod'
import { parseJson } from '#shared/base/parse-json.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { pause } from './request-budget.ts'

export interface HttpNeeds {
  /** Name of the provider in errors and notes. */
  readonly name: string
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Sent with every request; never noted. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Makes the calls; the global one where undefined. */
  readonly fetch?: typeof fetch
  /** What the provider says about a refusal, from its body, for people; without keys. */
  readonly reasonOf?: (body: unknown) => string | undefined
  /** Hears the provider's clock, to the second, of every answer. */
  readonly timeHeard?: (providerMs: number) => void
}

export interface HttpRequest<T> {
  readonly url: URL
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal
  /** True where no answer is better than a late one: nothing is tried again. */
  readonly isOnce?: boolean
  /** Finds a failure in an answer with status 200, for providers that hide them there. */
  readonly judge?: (body: unknown) => FeedError | undefined
  /** Finds an answer in a refusal, for providers that refuse where there is only nothing to say. */
  readonly excuse?: (body: unknown) => T | undefined
  /** Sent as JSON with POST instead of GET; never noted. */
  readonly body?: unknown
  /** Sent as a form with POST instead of GET; never noted. */
  readonly form?: Readonly<Record<string, string>>
  /** What the schema gets, for answers that are no JSON. */
  readonly read?: (text: string) => unknown
}

export interface HttpJson {
  /** The checked answer. @throws FeedError, or the signal's reason when it is aborted */
  get<T>(request: HttpRequest<T>): Promise<T>
}

const defaultTimeoutMs = 15_000
/** Failures that may pass are tried again after so long. */
const retryDelaysMs = [500, 2000]
/** A longer wait is the caller's choice. */
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

/** Client of one provider. All calls share its pauses: a limit that one call met holds for the others. */
export function httpJson(needs: HttpNeeds): HttpJson {
  const { name, clock, log, timeoutMs = defaultTimeoutMs } = needs
  let closedUntilMs = 0
  let isBanned = false

  /** An answer as text; unreachable where none comes in time. The limit holds for the body too. */
  async function load({ url, signal, body, form }: HttpRequest<unknown>): Promise<{ response: Response; text: string }> {
    const limit = new AbortController()
    const stop = clock.after(timeoutMs, () => limit.abort())
    try {
      const response = await (needs.fetch ?? fetch)(url, {
        headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...needs.headers },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
        redirect: 'error',
      })
      const text = await response.text()
      const providerMs = Date.parse(response.headers.get('date') ?? '')
      if (Number.isFinite(providerMs)) needs.timeHeard?.(providerMs)
      return { response, text }
    } catch (error) {
      signal?.throwIfAborted()
      const what = limit.signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached'
      throw new FeedError('unreachable', `${name} ${what}`, { cause: error })
    } finally {
      stop()
    }
  }

  function failure(response: Response, text: string): FeedError | undefined {
    const { status } = response
    if (status >= 200 && status < 300) return undefined
    const advice = retryAfterMs(response, clock.now())
    if (status === 429)
      return new FeedError('limited', `${name} takes no more requests for now`, { retryAfterMs: advice ?? waitWithoutAdviceMs })
    if (status === 418) {
      return new FeedError('refused', `${name} has banned this address for a while`, { retryAfterMs: advice ?? banWithoutAdviceMs })
    }
    if (status >= 500) return new FeedError('unreachable', `${name} is out of order (${status})`)
    const reason = needs.reasonOf?.(parseJson(text))
    return new FeedError('refused', `${name} refused the request (${status})${reason === undefined ? '' : `: ${reason}`}`)
  }

  async function attempt<T>(request: HttpRequest<T>): Promise<T> {
    const { response, text } = await load(request)
    const failed = failure(response, text)
    if (failed !== undefined) {
      const excused = request.excuse?.(parseJson(text))
      if (excused !== undefined) return excused
      throw failed
    }
    const body = request.read === undefined ? parseJson(text) : request.read(text)
    const hidden = request.judge?.(body)
    if (hidden !== undefined) throw hidden
    const checked = request.schema.safeParse(body)
    if (!checked.success) throw new FeedError('malformed', `${name} answered something that cannot be read`, { cause: checked.error })
    return checked.data
  }

  /** Takes note of a pause that the provider wants; true where the call should be tried again after `closedUntilMs`. */
  function heed(error: FeedError): boolean {
    if (error.retryAfterMs === undefined) return false
    closedUntilMs = Math.max(closedUntilMs, clock.monotonic() + error.retryAfterMs)
    isBanned = error.kind === 'refused'
    log(`${name} wants a pause`, { kind: error.kind, seconds: Math.ceil(error.retryAfterMs / 1000) })
    return error.kind === 'limited' && error.retryAfterMs <= longestWaitMs
  }

  async function waitForLeave(signal: AbortSignal | undefined): Promise<void> {
    for (let waitMs = closedUntilMs - clock.monotonic(); waitMs > 0; waitMs = closedUntilMs - clock.monotonic()) {
      if (isBanned) throw new FeedError('refused', `${name} has banned this address for a while`, { retryAfterMs: waitMs })
      if (waitMs > longestWaitMs) throw new FeedError('limited', `${name} takes no more requests for now`, { retryAfterMs: waitMs })
      await pause(clock, waitMs, signal)
    }
    isBanned = false
  }

  return {
    async get(request) {
      for (let tries = 0; ; tries += 1) {
        await waitForLeave(request.signal)
        try {
          return await attempt(request)
        } catch (error) {
          if (!(error instanceof FeedError)) throw error
          const delayMs = retryDelaysMs[tries]
          const mayPass = error.kind === 'unreachable' || error.kind === 'malformed' || heed(error)
          if (!mayPass || delayMs === undefined || request.isOnce === true) throw error
          log(`${name}: asked again`, { path: request.url.pathname, kind: error.kind })
          await pause(clock, delayMs, request.signal)
        }
      }
    },
  }
}
