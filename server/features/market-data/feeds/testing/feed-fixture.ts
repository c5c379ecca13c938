// A feed with a scripted exchange, alone or with the follower, and the comparison of its output with the expected candles.
import { expect, onTestFinished } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { type FollowedSource, SeriesFollower } from '../../failover/series-follower.ts'
import type { FollowedMinute } from '../../failover/source-minutes.ts'
import type { Feed, FeedClock, FeedLog, FeedState, Trade } from '../../feed.ts'
import type { Dialect } from './dialect.ts'
import { makeTrades } from './expected-candles.ts'
import { manualClock, type ManualClock } from './manual-clock.ts'
import { scriptedExchange, type ScriptedExchange } from './scripted-exchange.ts'

/** A Friday noon in India, when all markets are open, some seconds into a minute. */
export const fridayMs = Date.parse('2026-11-20T06:30:10Z')
/** The day before at nearly the same hour: 23 hours later all markets are open too. */
export const thursdayMs = Date.parse('2026-11-19T07:05:10Z')

export interface FeedSubject {
  readonly dialect: Dialect
  readonly make: (options: { restUrl: string; socketUrl: string; clock: FeedClock; log: FeedLog }) => Feed
  /** Silence after which the follower reports this source as stale. */
  readonly staleAfterMs: number
}

export interface FeedFixture {
  readonly exchange: ScriptedExchange
  readonly clock: ManualClock
  readonly feed: Feed
  readonly symbol: string
  readonly logLines: string[]
  /** Subscribes to one symbol directly. */
  readonly watch: (symbol: string) => {
    states: FeedState[]
    minutes: { candle: Candle; isClosed: boolean }[]
    trades: Trade[]
    stop: () => void
  }
  follow(): Followed
}

export interface Followed {
  readonly minutes: FollowedMinute[]
  readonly sources: { source: FollowedSource | null; reason: string | null }[]
  readonly stale: boolean[]
  stop(): void
}

/** Trades of one symbol: two hours on the day before, three hours until the start, two hours after; and a day later for long tests. */
function tradesFor(subject: FeedSubject, startMs: number, seed: number): Trade[] {
  const { sessionClass, sizeStep } = subject.dialect
  const windows = [
    [startMs - 27 * hourMs, startMs - 25 * hourMs],
    [startMs - 3 * hourMs, startMs + 2 * hourMs],
    [startMs + 22.5 * hourMs, startMs + 24 * hourMs],
  ] as const
  return windows.flatMap(([fromMs, toMs], i) => makeTrades({ fromMs, toMs, price: 100 + 20 * i, seed: seed + i, sessionClass, sizeStep }))
}

/** Starts exchange and feed at a time; they end with the test. There are no trades after `quietFromMs`. */
export async function feedFixture(subject: FeedSubject, startMs: number = fridayMs, quietFromMs = Infinity): Promise<FeedFixture> {
  const clock = manualClock(startMs)
  const [symbol, other] = subject.dialect.symbols
  const tradesOf = (seed: number) => tradesFor(subject, startMs, seed).filter(({ timeMs }) => timeMs < quietFromMs)
  const trades = { [symbol]: tradesOf(7), [other]: tradesOf(77) }
  const exchange = await scriptedExchange({ dialect: subject.dialect, clock, trades })
  const logLines: string[] = []
  const log: FeedLog = (line, details) => void logLines.push(`${line} ${JSON.stringify(details ?? {})}`)
  const feed = subject.make({ restUrl: exchange.restUrl, socketUrl: exchange.socketUrl, clock, log })
  onTestFinished(async () => {
    await feed.close()
    await exchange.close()
  })

  return {
    exchange,
    clock,
    feed,
    symbol,
    logLines,
    watch(watched) {
      const states: FeedState[] = []
      const minutes: { candle: Candle; isClosed: boolean }[] = []
      const received: Trade[] = []
      const stop = feed.watch(watched, {
        state: (state) => void states.push(state),
        minute: (candle, isClosed) => void minutes.push({ candle, isClosed }),
        trade: (trade) => void received.push(trade),
      })
      return { states, minutes, trades: received, stop }
    },
    follow() {
      const minutes: FollowedMinute[] = []
      const sources: { source: FollowedSource | null; reason: string | null }[] = []
      const stale: boolean[] = []
      const follower = new SeriesFollower(
        {
          series: 'test',
          sessionClass: subject.dialect.sessionClass,
          candidates: [{ feed, symbol, staleAfterMs: subject.staleAfterMs }],
          clock,
          log,
          backfillMinutes: 60,
          storedUntilMs: () => Promise.resolve(undefined),
        },
        {
          source: (source, reason) => void sources.push({ source, reason }),
          minutes: (notified) => void minutes.push(...notified),
          stale: (isStale) => void stale.push(isStale),
        },
      )
      return { minutes, sources, stale, stop: () => follower.stop() }
    },
  }
}

/**
 * Compares the follower's output with the expected candles: every minute older than `settledMs` is present, closed and
 * correct; nothing was emitted twice, and no closed minute was reopened. Returns the number of corrections.
 */
export function expectTrueMinutes(fixture: FeedFixture, followed: Followed, settledMs: number): number {
  const last = new Map<number, FollowedMinute>()
  let corrections = 0
  for (const notified of followed.minutes) {
    const before = last.get(notified.candle.timeMs)
    expect(notified, 'notified twice').not.toEqual(before)
    expect(before?.isClosed === true && !notified.isClosed, 'opened again').toBe(false)
    if (before?.isClosed === true) corrections += 1
    last.set(notified.candle.timeMs, notified)
  }
  const stamps = [...last.keys()]
  const fromMs = Math.min(...stamps)
  const untilMs = fixture.exchange.truth.nowMs() - settledMs - minuteMs
  const settled = stamps.filter((timeMs) => timeMs < untilMs).toSorted((one, other) => one - other)
  // Live-only data is expected for streamed minutes, but not for minutes of history.
  const isLiveOnly = fixture.exchange.dialect.hasTakerBuyVolume === 'live'
  const stated = (notified: FollowedMinute | undefined) =>
    notified && isLiveOnly ? { ...notified, candle: { ...notified.candle, takerBuyVolume: null } } : notified
  expect(settled.map((timeMs) => stated(last.get(timeMs)))).toEqual(
    fixture.exchange.expected(fixture.symbol, fromMs, untilMs).map((candle) => ({ candle, isClosed: true })),
  )
  expect(settled.length, 'the back-fill reaches an hour back').toBeGreaterThan(30)
  return corrections
}

/** Runs a test with a feed and its exchange, which end with the test. */
export async function withFeedFixture(subject: FeedSubject, run: (fixture: FeedFixture) => Promise<void>): Promise<void> {
  await run(await feedFixture(subject))
}
