// Minutes that Kraken's OHLC no longer has, built from its trades: newest first, within a limited number of calls.
import { z } from 'zod'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { addToSum, beginSum, type CandleSum } from '#shared/candles/sum-candles.ts'
import { FeedError, type OlderMinutes, type OlderMinutesRequest } from '../feed.ts'
import { decimal } from './decimal-schema.ts'

/** One call per second is allowed, so this is also the duration in seconds. */
const callsMax = 40
const rowsMax = 1000
/** After a range that one call covered, the next range is twice as long. */
const firstStretchMs = 2 * hourMs

/** Price, volume, time in seconds, side, order type, misc, number. */
const row = z.tuple([decimal, decimal, z.number(), z.string(), z.string(), z.string(), z.int()])

/** The trades are keyed by the provider's own pair name, next to `last`: the newest one's time in nanoseconds. */
export const tradesAnswer = z.object({ result: z.record(z.string(), z.union([z.array(row), z.string()])) })

export interface TradesQuery {
  /** Nanoseconds, exclusive. */
  readonly since: bigint
  readonly count: number
}

type AskTrades = (query: TradesQuery) => Promise<z.infer<typeof tradesAnswer>>

class CallsUsedUp extends Error {}

/** @throws FeedError if not even the newest range could be loaded */
export async function minutesOfTrades({ fromMs, toMs }: OlderMinutesRequest, ask: AskTrades): Promise<OlderMinutes> {
  let calls = 0
  let reachedMs = toMs
  let stretchMs = firstStretchMs
  const stretches: Candle[][] = []
  const counted: AskTrades = (query) => {
    if (calls >= callsMax) throw new CallsUsedUp()
    calls += 1
    return ask(query)
  }
  while (reachedMs > fromMs) {
    const startMs = Math.max(fromMs, reachedMs - stretchMs)
    const before = calls
    try {
      stretches.unshift(minutesOf(await tradesBetween(startMs, reachedMs, counted)))
    } catch (error) {
      if (error instanceof CallsUsedUp || (error instanceof FeedError && stretches.length > 0)) break
      throw error
    }
    reachedMs = startMs
    if (calls - before === 1) stretchMs *= 2
  }
  return { candles: stretches.flat(), fromMs: reachedMs }
}

type TradeRow = z.infer<typeof row>

async function tradesBetween(fromMs: number, toMs: number, ask: AskTrades): Promise<TradeRow[]> {
  const found = new Map<number, TradeRow>()
  // Trades of one order share a time, so a page starts with trades that may be cut off at the end of the previous one.
  let since = BigInt(fromMs) * 1_000_000n - 1n
  for (;;) {
    const { result } = await ask({ since, count: rowsMax })
    const rows = Object.values(result).find((value) => typeof value !== 'string') ?? []
    const before = found.size
    for (const one of rows) if (timeOf(one) >= fromMs && timeOf(one) < toMs) found.set(one[6], one)
    const last = typeof result['last'] === 'string' ? BigInt(result['last']) - 1n : since
    if (rows.length < rowsMax || last >= BigInt(toMs) * 1_000_000n) break
    if (last <= since || found.size === before) throw new FeedError('malformed', 'Kraken repeats the same trades')
    since = last
  }
  return [...found.values()].toSorted((one, other) => one[6] - other[6])
}

const timeOf = (trade: TradeRow): number => trade[2] * 1000

function minutesOf(trades: readonly TradeRow[]): Candle[] {
  const minutes: CandleSum[] = []
  for (const trade of trades) {
    const [price, volume] = trade
    const timeMs = Math.floor(timeOf(trade) / minuteMs) * minuteMs
    const candle = { timeMs, open: price, high: price, low: price, close: price, volume, takerBuyVolume: null }
    const last = minutes.at(-1)
    if (last?.timeMs === timeMs) addToSum(last, candle)
    else minutes.push(beginSum(timeMs, candle))
  }
  return minutes
}
