// OpenAlgo's HTTP side: the broker's supported intervals, and its candles.
import { z } from 'zod'
import { dayMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { commonStepOf, FeedError, type FeedClock, type FeedLog, type HistoryRequest, type HistoryStep } from '../feed.ts'
import { loadWholeSpans } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { abortable } from './abortable.ts'
import {
  openAlgoDates,
  openAlgoDaysMax,
  openAlgoHistorySchema,
  openAlgoIntervalOf,
  openAlgoIntervalsSchema,
  readOpenAlgoHistory,
} from './openalgo-history.ts'
import { isOpenAlgoIndex, openAlgoSessionClass, readOpenAlgoSymbol } from './openalgo-symbols.ts'
import type { ProviderClock } from './provider-clock.ts'
import { requestBudget } from './rate-limiter.ts'

export const openAlgoKeyReason = 'OpenAlgo does not take the key; make a new one there and enter it'

export interface OpenAlgoRestOptions {
  /** URL of the instance, which may have a path. */
  readonly restUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly time: ProviderClock
}

/** Its message for an unknown key. */
const keyRejectionSchema = z.object({ message: z.string().regex(/api ?key/i) })

/** Its own limit is 50 per second, but the broker may allow 3 or fewer. */
const limits = [{ count: 2, windowMs: 1000 }]

/** The history call of an instance. @throws FeedError */
export function openAlgoHistory(options: OpenAlgoRestOptions): (request: HistoryRequest) => Promise<Candle[]> {
  const { restUrl, apiKey, clock, log, time } = options
  const http = new HttpJson({
    name: 'OpenAlgo',
    clock,
    log,
    timeoutMs: 30_000,
    reasonOf: (body) => (keyRejectionSchema.safeParse(body).success ? openAlgoKeyReason : undefined),
    timeReceived: (providerMs) => time.sample(providerMs),
    ...(options.fetch && { fetch: options.fetch }),
  })
  const budget = requestBudget({ limits, waitMaxMs: 60_000, clock })
  const base = new URL(restUrl).href.replace(/\/$/, '')
  let intervals: Promise<ReadonlySet<string>> | undefined

  async function call<T>(name: string, ask: { body: object; schema: z.ZodType<T>; signal: AbortSignal | undefined }): Promise<T> {
    await budget(ask.signal)
    const { signal, schema } = ask
    return await http.get({
      url: new URL(`${base}/api/v1/${name}`),
      body: { apikey: apiKey, ...ask.body },
      schema,
      ...(signal && { signal }),
    })
  }

  async function loadIntervals(): Promise<ReadonlySet<string>> {
    const { data } = await call('intervals', { body: {}, schema: openAlgoIntervalsSchema, signal: undefined })
    return new Set(Object.values(data).flat())
  }

  async function hasStep(step: HistoryStep): Promise<boolean> {
    intervals ??= loadIntervals()
    try {
      return (await intervals).has(openAlgoIntervalOf[commonStepOf(step)])
    } catch (error) {
      intervals = undefined
      throw error
    }
  }

  return async (request) => {
    const { step, signal } = request
    const symbol = readOpenAlgoSymbol(request.symbol)
    if (symbol === null) throw new FeedError('refused', `OpenAlgo has no ${request.symbol}`)
    if (!(await abortable(hasStep(step), signal))) throw new FeedError('refused', `The broker behind OpenAlgo has no candles of ${step}`)
    const sessionClass = openAlgoSessionClass(symbol)
    const load = async (part: TimeSpan): Promise<Candle[]> => {
      const found: Candle[] = []
      for (const dates of openAlgoDates({ ...request, ...part }, await time.nowMs())) {
        const body = { ...symbol, interval: openAlgoIntervalOf[commonStepOf(step)], ...dates }
        const answer = await call('history', { body, schema: openAlgoHistorySchema, signal })
        for (const row of readOpenAlgoHistory(answer, step, isOpenAlgoIndex(symbol))) found.push(row)
      }
      return found
    }
    const whole = { fromMs: request.fromMs, toMs: Math.min(request.toMs, await time.nowMs()) }
    const rows = await loadWholeSpans(whole, openAlgoDaysMax[commonStepOf(step)] * dayMs, { step, sessionClass, load })
    return orderlyCandles(rows, request, { nowMs: await time.nowMs(), sessionClass })
  }
}
