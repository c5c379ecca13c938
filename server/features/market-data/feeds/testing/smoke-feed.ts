// Smoke test of a real provider: days and minutes arrive, are plausible, and continue live.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Feed, FeedClock, HistoryRequest, HistoryStep } from '../../feed.ts'
import { pause } from '../feed-rate-limiter.ts'

export interface SmokeOptions {
  readonly feed: Feed
  readonly symbol: string
  readonly sessionClass: SessionClass
  readonly clock: FeedClock
  /** Timeout of the first live price. */
  readonly withinMs: number
}

/** Sources need some minutes until their history has the newest minutes. */
const openLongEnoughMs = 15 * minuteMs

/** Sentences about problems; empty if all is well. No live price is expected while the market is closed. */
export async function smokeFeed(options: SmokeOptions): Promise<string[]> {
  const { feed, clock, sessionClass } = options
  const issues: string[] = []
  const nowMs = clock.now()
  const session = calendarOf(sessionClass).sessionAt(nowMs)
  const isOpen =
    session !== null &&
    session.segments.some(({ kind, startMs, endMs }) => kind === 'continuous' && nowMs >= startMs + openLongEnoughMs && nowMs < endMs)
  if (feed.steps.includes('1D')) issues.push(...(await historyIssues(options, '1D', { backMs: 14 * dayMs, isExpected: true })))
  if (feed.steps.includes('1m')) issues.push(...(await historyIssues(options, '1m', { backMs: 60 * minuteMs, isExpected: isOpen })))
  if (isOpen && feed.live !== 'none') issues.push(...(await liveIssues(options)))
  return issues
}

interface Span {
  readonly backMs: number
  /** Whether it is an issue if no candle is returned. */
  readonly isExpected: boolean
}

async function historyIssues({ feed, symbol, clock }: SmokeOptions, step: HistoryStep, { backMs, isExpected }: Span): Promise<string[]> {
  const toMs = clock.now()
  try {
    const issues: string[] = []
    const onRejected: HistoryRequest['onRejected'] = (rows) =>
      void issues.push(...rows.map(({ issue }) => `a ${step} row of ${symbol} is ${issue}`))
    const candles = await feed.history({ symbol, step, fromMs: toMs - backMs, toMs, onRejected })
    if (candles.length === 0 && isExpected) issues.push(`no ${step} candles of ${symbol}`)
    return issues
  } catch (error) {
    return [`no ${step} history of ${symbol}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** Waits for the first price, or for a rejection. */
async function liveIssues({ feed, symbol, clock, withinMs }: SmokeOptions): Promise<string[]> {
  const received = Promise.withResolvers<string[]>()
  let reason = 'nothing was said'
  const limit = new AbortController()
  const stop = feed.watch(symbol, {
    minute(candle) {
      const issue = findCandleIssue(candle, clock.now())
      received.resolve(issue === null ? [] : [`a live minute of ${symbol} is ${issue}`])
    },
    trade({ price, timeMs }) {
      const isSound = price > 0 && Math.abs(timeMs - clock.now()) < 10 * minuteMs
      received.resolve(isSound ? [] : [`a live price of ${symbol} is odd: ${price} at ${new Date(timeMs).toISOString()}`])
    },
    state(state) {
      if ('reason' in state) reason = state.reason
      if (state.kind === 'refused') received.resolve([`${symbol} is refused: ${state.reason}`])
    },
  })
  const late = pause(clock, withinMs, limit.signal).then(
    () => [`no live price of ${symbol} within ${withinMs / 1000} s: ${reason}`],
    () => [],
  )
  try {
    return await Promise.race([received.promise, late])
  } finally {
    limit.abort()
    stop()
  }
}
