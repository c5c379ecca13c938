// Twelve Data's HTTP side: candles, within the credits of the plan.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { FeedError, stepMs, type FeedClock, type FeedLog, type HistoryRequest } from '../feed.ts'
import { loadWholeSpans } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { providerClock } from './provider-clock.ts'
import { requestBudget, type RequestLimit } from './rate-limiter.ts'
import {
  readTwelveDataRows,
  twelveDataPaths,
  twelveDataRowsMax,
  twelveDataSeriesSchema,
  type TwelveDataSeries,
} from './twelve-data-history.ts'

export const twelveDataKeyReason = 'Twelve Data does not take the key; check it, and what its plan includes'

/** Calls included in a plan; without `perDay` there is no daily limit. */
export interface TwelveDataCredits {
  readonly perMinute: number
  readonly perDay?: number
}

export interface TwelveDataRestOptions {
  readonly restUrl: string
  readonly apiKey: string
  readonly credits: TwelveDataCredits
  readonly clock: FeedClock
  readonly log: FeedLog
}

/** Maximum time that a chart waits for credits. */
const creditWaitMaxMs = 120_000

/** An error that came with status 200. */
function hiddenFailure(body: unknown): FeedError | undefined {
  const answer = twelveDataSeriesSchema.safeParse(body).data
  if (answer === undefined || !('code' in answer) || isNothingFound(answer)) return undefined
  if (answer.code === 429) return new FeedError('limited', 'Twelve Data has no credits left for now', { retryAfterMs: minuteMs })
  if (answer.code >= 500) return new FeedError('unreachable', `Twelve Data is out of order (${answer.code})`)
  return new FeedError('refused', `Twelve Data refused the request (${answer.code}): ${reasonOf(answer) ?? 'without a reason'}`)
}

/** An empty range is reported as a bad request. */
function isNothingFound(answer: TwelveDataSeries): boolean {
  return 'code' in answer && answer.code === 400 && /^No data is available/i.test(answer.message)
}

/** In our own words: the provider's messages are advertisements, and may repeat what was sent. */
function reasonOf(body: unknown): string | undefined {
  const answer = twelveDataSeriesSchema.safeParse(body).data
  if (answer === undefined || !('code' in answer)) return undefined
  if (answer.code === 401) return twelveDataKeyReason
  if (answer.code === 403) return 'the plan does not include this'
  return answer.code === 404 ? 'it has no such symbol, or not with this plan' : undefined
}

function excuse(body: unknown): TwelveDataSeries | undefined {
  const answer = twelveDataSeriesSchema.safeParse(body).data
  return answer !== undefined && isNothingFound(answer) ? answer : undefined
}

/** The history call of an account. @throws FeedError */
export function twelveDataHistory(options: TwelveDataRestOptions): (request: HistoryRequest) => Promise<Candle[]> {
  const { restUrl, apiKey, credits, clock, log } = options
  const time = providerClock(clock)
  const http = new HttpJson({
    name: 'Twelve Data',
    clock,
    log,
    headers: { authorization: `apikey ${apiKey}` },
    reasonOf,
    timeReceived: (providerMs) => time.sample(providerMs),
  })
  const limits: RequestLimit[] = [{ count: credits.perMinute, windowMs: minuteMs }]
  if (credits.perDay !== undefined) limits.push({ count: credits.perDay, windowMs: dayMs })
  const budget = requestBudget({ limits, waitMaxMs: creditWaitMaxMs, clock })

  return async (request) => {
    const { signal, step } = request
    const load = async (part: TimeSpan): Promise<Candle[]> => {
      const found: Candle[] = []
      for (const path of twelveDataPaths({ ...request, ...part }, await time.nowMs())) {
        await budget(signal)
        const url = new URL(path, restUrl)
        const answer = await http.get({ url, schema: twelveDataSeriesSchema, judge: hiddenFailure, excuse, ...(signal && { signal }) })
        if ('values' in answer) for (const row of readTwelveDataRows(answer.values)) found.push(row)
      }
      return found
    }
    const whole = { fromMs: request.fromMs, toMs: Math.min(request.toMs, await time.nowMs()) }
    const rows = await loadWholeSpans(whole, (twelveDataRowsMax - 1) * stepMs[step], { step, sessionClass: null, load })
    // Its day is a calendar date and not a trading session, so it closes with the date.
    return orderlyCandles(rows, request, { nowMs: await time.nowMs(), sessionClass: null })
  }
}
