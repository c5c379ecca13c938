// Minutes that Kraken's OHLC no longer has, built from its trades: newest first, within a limited number of calls.
import { z } from 'zod'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { addToSum, beginSum, type CandleSum } from '#shared/candles/candle-sum.ts'
import { FeedError, type OlderMinutes, type OlderMinutesRequest, type RejectedRow } from '../feed.ts'
import { numberRowSchema, rowsOf } from './provider-number.ts'

/** One call per second is allowed, so this is also the duration in seconds. */
const callsMax = 40
const rowsMax = 1000
/** After a range that one call covered, the next range is twice as long. */
const firstStretchMs = 2 * hourMs

/** Price, volume, time in seconds, side, order type, misc, number. */
const rows = rowsOf(numberRowSchema)

/** The trades are keyed by the provider's own pair name, next to `last`: the newest one's time in nanoseconds. */
export const tradesAnswer = z.object({ result: z.record(z.string(), z.union([rows, z.string()])) })

export interface TradesQuery {
  /** Nanoseconds, exclusive. */
  readonly since: bigint
  readonly count: number
}

type AskTrades = (query: TradesQuery) => Promise<z.infer<typeof tradesAnswer>>

class CallsUsedUp extends Error {}

/** @throws FeedError if not even the newest range could be loaded */
export async function minutesOfTrades({ fromMs, toMs, onRejected }: OlderMinutesRequest, ask: AskTrades): Promise<OlderMinutes> {
  let calls = 0
  let reachedMs = toMs
  let stretchMs = firstStretchMs
  const stretches: Candle[][] = []
  const rejected: RejectedRow[][] = []
  const counted: AskTrades = (query) => {
    if (calls >= callsMax) throw new CallsUsedUp()
    calls += 1
    return ask(query)
  }
  while (reachedMs > fromMs) {
    const startMs = Math.max(fromMs, reachedMs - stretchMs)
    const before = calls
    try {
      const { minutes, bad } = minutesOf(await tradesBetween(startMs, reachedMs, counted))
      stretches.unshift(minutes)
      rejected.unshift(bad)
    } catch (error) {
      if (error instanceof CallsUsedUp || (error instanceof FeedError && stretches.length > 0)) break
      throw error
    }
    reachedMs = startMs
    if (calls - before === 1) stretchMs *= 2
  }
  if (rejected.some((bad) => bad.length > 0)) onRejected?.(rejected.flat())
  return { candles: stretches.flat(), fromMs: reachedMs }
}

interface TradeRow {
  readonly timeMs: number
  readonly price: number
  readonly volume: number
  readonly id: number
}

async function tradesBetween(fromMs: number, toMs: number, ask: AskTrades): Promise<TradeRow[]> {
  const found = new Map<number, TradeRow>()
  // Trades of one order share a time, so a page starts with trades that may be cut off at the end of the previous one.
  let since = BigInt(fromMs) * 1_000_000n - 1n
  let timeMs = fromMs
  for (;;) {
    const { result } = await ask({ since, count: rowsMax })
    const page = Object.values(result).find((value) => typeof value !== 'string') ?? []
    const before = found.size
    for (const [price = NaN, volume = NaN, seconds = NaN, , , , number = NaN] of page) {
      // One without a time was made about when the one before was.
      timeMs = Number.isFinite(seconds) ? seconds * 1000 : timeMs
      const id = Number.isFinite(number) ? number : -1 - found.size
      if (timeMs >= fromMs && timeMs < toMs) found.set(id, { timeMs, price: Number.isFinite(seconds + number) ? price : NaN, volume, id })
    }
    const last = typeof result['last'] === 'string' ? BigInt(result['last']) - 1n : since
    if (page.length === 0 || last >= BigInt(toMs) * 1_000_000n) break
    if (last <= since || found.size === before) {
      if (page.length < rowsMax) break
      throw new FeedError('malformed', 'Kraken repeats the same trades')
    }
    since = last
  }
  return [...found.values()].toSorted((one, other) => one.timeMs - other.timeMs || one.id - other.id)
}

/** Minutes of ascending trades; one with an unreadable trade is unknown. */
function minutesOf(trades: readonly TradeRow[]): { minutes: Candle[]; bad: RejectedRow[] } {
  const minutes: CandleSum[] = []
  const bad = new Map<number, RejectedRow>()
  for (const trade of trades) {
    const { price, volume } = trade
    const timeMs = Math.floor(trade.timeMs / minuteMs) * minuteMs
    const candle = { timeMs, open: price, high: price, low: price, close: price, volume, takerBuyVolume: null }
    const issue = findCandleIssue(candle, Infinity)
    const last = minutes.at(-1)
    if (issue !== null) bad.set(timeMs, { span: { fromMs: timeMs, toMs: timeMs + minuteMs }, issue, answer: JSON.stringify(trade) })
    else if (last?.timeMs === timeMs) addToSum(last, candle)
    else minutes.push(beginSum(timeMs, candle))
  }
  return { minutes: minutes.filter(({ timeMs }) => !bad.has(timeMs)), bad: [...bad.values()] }
}
