// OpenAlgo's HTTP side: which intervals the broker behind it has, and its candles.
import { z } from 'zod'
import type { Candle } from '#shared/market/candles/candle.ts'
import { commonStepOf, FeedError, type FeedClock, type FeedLog, type HistoryRequest, type HistoryStep } from '../feed.ts'
import { orderlyCandles } from './history-spans.ts'
import { httpJson } from './http-json.ts'
import { letGo } from './let-go.ts'
import {
  openAlgoDates,
  openAlgoHistorySchema,
  openAlgoIntervalOf,
  openAlgoIntervalsSchema,
  readOpenAlgoHistory,
} from './openalgo-history.ts'
import { isOpenAlgoIndex, openAlgoSessionClass, readOpenAlgoSymbol } from './openalgo-symbols.ts'
import type { ProviderClock } from './provider-clock.ts'
import { requestBudget } from './request-budget.ts'

export const openAlgoKeyReason = 'OpenAlgo does not take the key; make a new one there and enter it'

export interface OpenAlgoRestNeeds {
  /** Address of the instance, which may be in a folder. */
  readonly restUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly time: ProviderClock
}

/** Its word for a key that it does not know. */
const keyRefusalSchema = z.object({ message: z.string().regex(/api ?key/i) })

/** Its own limit is 50 in a second, but a broker stands behind it that may allow 3 or fewer. */
const limits = [{ count: 2, windowMs: 1000 }]

/** The history call of an instance. @throws FeedError */
export function openAlgoHistory(needs: OpenAlgoRestNeeds): (request: HistoryRequest) => Promise<Candle[]> {
  const { restUrl, apiKey, clock, log, time } = needs
  const http = httpJson({
    name: 'OpenAlgo',
    clock,
    log,
    timeoutMs: 30_000,
    reasonOf: (body) => (keyRefusalSchema.safeParse(body).success ? openAlgoKeyReason : undefined),
    timeHeard: (providerMs) => time.sample(providerMs),
    ...(needs.fetch && { fetch: needs.fetch }),
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
    if (!(await letGo(hasStep(step), signal))) throw new FeedError('refused', `The broker behind OpenAlgo has no candles of ${step}`)
    const rows: Candle[] = []
    for (const dates of openAlgoDates(request, await time.nowMs())) {
      const body = { ...symbol, interval: openAlgoIntervalOf[commonStepOf(step)], ...dates }
      rows.push(
        ...readOpenAlgoHistory(await call('history', { body, schema: openAlgoHistorySchema, signal }), step, isOpenAlgoIndex(symbol)),
      )
    }
    return orderlyCandles(rows, request, { nowMs: await time.nowMs(), sessionClass: openAlgoSessionClass(symbol) })
  }
}
