// A follower on a fake clock with its recorded output, and its invariants.
import { expect } from 'vitest'
import { secondMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { areSameCandles } from '#shared/candles/candle-issue.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { manualClock, type ManualClock } from '../../feeds/testing/manual-clock.ts'
import type { SourceCandidate } from '../gap-filler.ts'
import type { FollowOptions, FollowedSource } from '../series-follower.ts'
import type { FollowedMinute } from '../source-minutes.ts'
import { SeriesFollower } from '../series-follower.ts'
import { fakeFeed, type FakeFeed } from './fake-feed.ts'

/** A Friday noon on which every market is open. */
export const noonMs = Date.parse('2026-11-20T07:00Z')

export interface Followed {
  readonly sources: { readonly atMs: number; readonly current: FollowedSource | null; readonly reason: string | null }[]
  /** Since the last source change. */
  minutes: FollowedMinute[]
  readonly stale: boolean[]
  readonly stop: () => void
}

export function startFollowing(
  clock: ManualClock,
  candidates: readonly SourceCandidate[],
  options: Partial<FollowOptions> = {},
  onCovered: (spans: readonly TimeSpan[]) => void = () => undefined,
): Followed {
  const sources: Followed['sources'] = []
  const stale: boolean[] = []
  const followed: Followed = { sources, minutes: [], stale, stop: () => follower.stop() }
  const follower = new SeriesFollower(
    {
      series: 'btc-usdt',
      sessionClass: 'crypto',
      candidates,
      clock,
      log: () => undefined,
      backfillMinutes: 10,
      storedUntilMs: () => Promise.resolve(undefined),
      ...options,
    },
    {
      source(current, reason) {
        if (current?.index !== sources.at(-1)?.current?.index) followed.minutes = []
        sources.push({ atMs: clock.now(), current, reason })
      },
      minutes(minutes, covered) {
        followed.minutes.push(...minutes)
        onCovered(covered)
      },
      stale: (isStale) => stale.push(isStale),
    },
  )
  return followed
}

/** Advances time in small steps, and runs pending promises after each one. */
export async function pass(clock: ManualClock, ms: number, each: () => void = () => undefined): Promise<void> {
  const stepMs = 250
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(stepMs, left))
    await turn()
    each()
  }
}

/** One turn of the event loop, which runs pending promises. */
function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(resolve)
  return promise
}

/** The last update of each minute, ascending; fails on duplicates and reopened minutes. */
export function lastStatements(minutes: readonly FollowedMinute[]): FollowedMinute[] {
  const last = new Map<number, FollowedMinute>()
  for (const stated of minutes) {
    const before = last.get(stated.candle.timeMs)
    if (before !== undefined) {
      expect(before.isClosed && !stated.isClosed, `reopened ${stated.candle.timeMs}`).toBe(false)
      expect(before.isClosed === stated.isClosed && areSameCandles(before.candle, stated.candle), `doubled ${stated.candle.timeMs}`).toBe(
        false,
      )
    }
    last.set(stated.candle.timeMs, stated)
  }
  return [...last.values()].toSorted((one, other) => one.candle.timeMs - other.candle.timeMs)
}

/** Final state of the closed minutes. */
export function closedMinutes({ minutes }: Followed): Candle[] {
  return lastStatements(minutes)
    .filter(({ isClosed }) => isClosed)
    .map(({ candle }) => candle)
}

export const newClock = (random?: () => number): ManualClock => manualClock(noonMs, random)

const staleAfterMs = 5 * secondMs

/** A clock, two sources and the demo. */
export function followerFixture(live: 'minutes' | 'trades' = 'minutes') {
  const clock = manualClock(noonMs)
  const first = fakeFeed({ source: 'binance', live, clock })
  const second = fakeFeed({ source: 'kraken', live, clock, saysClosed: false })
  const demo = fakeFeed({ source: 'demo', live, clock })
  const feeds = [first, second, demo]
  let count = 0
  /** Trades on all sources about every two seconds, at rising prices. */
  const tradeAll = () => {
    count += 1
    if (count % 8 !== 0) return
    for (const feed of feeds) feed.trade({ timeMs: clock.now(), price: 100 + count / 100, size: 1, isTakerBuy: true })
  }
  return { clock, first, second, demo, run: (ms: number) => pass(clock, ms, tradeAll), quiet: (ms: number) => pass(clock, ms) }
}

export const candidate = (feed: FakeFeed): SourceCandidate => ({
  feed,
  symbol: 'X',
  staleAfterMs,
  label: { source: feed.source.toUpperCase() },
})
/** Emitted sources with their reasons. */
export const notified = ({ sources }: Followed) => sources.map(({ current, reason }) => [current?.source ?? null, reason])
