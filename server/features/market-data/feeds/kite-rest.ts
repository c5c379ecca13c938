// Kite's HTTP side: the instrument list and the candles, with a shared rate limiter.
import { z } from 'zod'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { commonStepOf, FeedError, type FeedClock, type FeedLog, type HistoryRequest } from '../feed.ts'
import { loadWholeSpans } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { kiteDaysMax, kiteHistoryPaths, kiteHistorySchema, readKiteHistory } from './kite-history.ts'
import { readKiteInstruments } from './kite-instruments.ts'
import { abortable } from './abortable.ts'
import type { ProviderClock } from './provider-clock.ts'
import { requestBudget, type RequestBudget } from './rate-limiter.ts'

/** Why a token is rejected, and what to do: Zerodha ends every session in the morning. */
export const kiteTokenReason = 'The Zerodha session has ended; sign in to Zerodha again'

export interface KiteRestOptions {
  readonly restUrl: string
  readonly apiKey: string
  readonly accessToken: string
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly time: ProviderClock
}

export interface KiteRest {
  /** Kite's token of a symbol such as `NSE:RELIANCE`; undefined if the exchange does not list it. @throws FeedError */
  tokenOf(symbol: string): Promise<number | undefined>
  /** @throws FeedError */
  history(request: HistoryRequest): Promise<Candle[]>
}

/** A new list is published every morning; tokens of shares and indices hardly ever change. */
const listMaxAgeMs = 12 * hourMs

/** Kite's error types in plain words. */
const reasons: Readonly<Record<string, string>> = {
  TokenException: kiteTokenReason,
  PermissionException: 'the key has no right to market data',
  InputException: 'it does not know what was asked for',
}

const rejectionSchema = z.object({ error_type: z.string() })
const listSchema = z.map(z.string(), z.number())
const indices: Readonly<Record<string, SessionClass>> = {
  'NSE:NIFTY 50': 'nse-index',
  'NSE:NIFTY BANK': 'nse-index',
  'NSE:NIFTY FIN SERVICE': 'nse-index',
  'BSE:SENSEX': 'bse-index',
}

/** The last byte of a token is its segment. */
const isIndexToken = (token: number): boolean => (token & 0xff) === 9

/** Instrument lists by exchange; concurrent callers share one download. */
function instrumentLists(http: HttpJson, parts: { budget: RequestBudget; restUrl: string; clock: FeedClock }) {
  const { budget, restUrl, clock } = parts
  const lists = new Map<string, { readonly list: Promise<ReadonlyMap<string, number>>; readonly sinceMs: number }>()

  async function load(exchange: string): Promise<ReadonlyMap<string, number>> {
    await budget()
    const url = new URL(`/instruments/${encodeURIComponent(exchange)}`, restUrl)
    return await http.get({ url, schema: listSchema, read: readKiteInstruments })
  }

  return (exchange: string): Promise<ReadonlyMap<string, number>> => {
    const known = lists.get(exchange)
    if (known !== undefined && clock.monotonic() - known.sinceMs < listMaxAgeMs) return known.list
    const list = load(exchange)
    lists.set(exchange, { list, sinceMs: clock.monotonic() })
    list.catch(() => lists.delete(exchange))
    return list
  }
}

export function kiteRest({ restUrl, apiKey, accessToken, clock, log, time }: KiteRestOptions): KiteRest {
  const http = new HttpJson({
    name: 'Zerodha',
    clock,
    log,
    headers: { 'x-kite-version': '3', authorization: `token ${apiKey}:${accessToken}` },
    reasonOf: (body) => reasons[rejectionSchema.safeParse(body).data?.error_type ?? ''],
    timeReceived: (providerMs) => time.sample(providerMs),
  })
  const budget = requestBudget({ limits: [{ count: 3, windowMs: 1000 }], waitMaxMs: 60_000, clock })
  const listOf = instrumentLists(http, { budget, restUrl, clock })

  async function tokenOf(symbol: string): Promise<number | undefined> {
    const [exchange = '', name] = symbol.split(':')
    return name === undefined || !/^[A-Z]+$/.test(exchange) ? undefined : (await listOf(exchange)).get(symbol)
  }

  return {
    tokenOf,
    async history(request) {
      const token = await abortable(tokenOf(request.symbol), request.signal)
      if (token === undefined) throw new FeedError('refused', `Zerodha has no ${request.symbol}`)
      const { step, signal } = request
      const sessionClass = indices[request.symbol] ?? (request.symbol.startsWith('NSE:') ? 'nse-equity' : null)
      const load = async (part: TimeSpan): Promise<Candle[]> => {
        const found: Candle[] = []
        for (const path of kiteHistoryPaths({ ...request, ...part }, token, await time.nowMs())) {
          await budget(signal)
          const answer = await http.get({ url: new URL(path, restUrl), schema: kiteHistorySchema, ...(signal && { signal }) })
          for (const row of readKiteHistory(answer, step, isIndexToken(token))) found.push(row)
        }
        return found
      }
      const whole = { fromMs: request.fromMs, toMs: Math.min(request.toMs, await time.nowMs()) }
      const rows = await loadWholeSpans(whole, kiteDaysMax[commonStepOf(step)] * dayMs, { step, sessionClass, load })
      return orderlyCandles(rows, request, { nowMs: await time.nowMs(), sessionClass })
    },
  }
}
