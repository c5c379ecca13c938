// Looks whether a provider still is what its adapter takes it for: days and minutes come, are plausible, and go on live.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { findCandleFault } from '#shared/market/candles/check-candle.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Feed, FeedClock, HistoryStep } from '../../feed.ts'
import { pause } from '../request-budget.ts'

export interface SmokeNeeds {
  readonly feed: Feed
  readonly symbol: string
  readonly sessionClass: SessionClass
  readonly clock: FeedClock
  /** What the first live price may take. */
  readonly withinMs: number
}

/** Sources need some minutes until their history has what just happened. */
const openLongEnoughMs = 15 * minuteMs

/** Sentences saying what is wrong; none if all is well. While the market is closed no live price is expected. */
export async function smokeFeed(needs: SmokeNeeds): Promise<string[]> {
  const { feed, clock, sessionClass } = needs
  const faults: string[] = []
  const nowMs = clock.now()
  const session = calendarOf(sessionClass).sessionAt(nowMs)
  const isOpen =
    session !== null &&
    session.segments.some(({ kind, startMs, endMs }) => kind === 'continuous' && nowMs >= startMs + openLongEnoughMs && nowMs < endMs)
  if (feed.steps.includes('1D')) faults.push(...(await historyFaults(needs, '1D', { backMs: 14 * dayMs, isExpected: true })))
  if (feed.steps.includes('1m')) faults.push(...(await historyFaults(needs, '1m', { backMs: 60 * minuteMs, isExpected: isOpen })))
  if (isOpen && feed.live !== 'none') faults.push(...(await liveFaults(needs)))
  return faults
}

interface Span {
  readonly backMs: number
  /** Whether no candle at all is a fault. */
  readonly isExpected: boolean
}

async function historyFaults({ feed, symbol, clock }: SmokeNeeds, step: HistoryStep, { backMs, isExpected }: Span): Promise<string[]> {
  const toMs = clock.now()
  try {
    const candles = await feed.history({ symbol, step, fromMs: toMs - backMs, toMs })
    if (candles.length === 0) return isExpected ? [`no ${step} candles of ${symbol}`] : []
    return candles.flatMap((candle) => faultOf(candle, clock) ?? []).map((fault) => `a ${step} candle of ${symbol} is ${fault}`)
  } catch (error) {
    return [`no ${step} history of ${symbol}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function faultOf(candle: Candle, clock: FeedClock): string | null {
  return findCandleFault(candle, clock.now())
}

/** Waits for the first price, or for a refusal. */
async function liveFaults({ feed, symbol, clock, withinMs }: SmokeNeeds): Promise<string[]> {
  const heard = Promise.withResolvers<string[]>()
  let reason = 'nothing was said'
  const limit = new AbortController()
  const stop = feed.watch(symbol, {
    minute(candle) {
      const fault = faultOf(candle, clock)
      heard.resolve(fault === null ? [] : [`a live minute of ${symbol} is ${fault}`])
    },
    trade({ price, timeMs }) {
      const isSound = price > 0 && Math.abs(timeMs - clock.now()) < 10 * minuteMs
      heard.resolve(isSound ? [] : [`a live price of ${symbol} is odd: ${price} at ${new Date(timeMs).toISOString()}`])
    },
    state(state) {
      if ('reason' in state) reason = state.reason
      if (state.kind === 'refused') heard.resolve([`${symbol} is refused: ${state.reason}`])
    },
  })
  const late = pause(clock, withinMs, limit.signal).then(
    () => [`no live price of ${symbol} within ${withinMs / 1000} s: ${reason}`],
    () => [],
  )
  try {
    return await Promise.race([heard.promise, late])
  } finally {
    limit.abort()
    stop()
  }
}
