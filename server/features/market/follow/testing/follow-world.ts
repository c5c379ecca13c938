// A follower on a clock that a test moves, with everything that it told, and what must always be true of that.
import { expect } from 'vitest'
import { secondMs } from '#shared/base/durations.ts'
import { areSameCandles } from '#shared/market/candles/check-candle.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { manualClock, type ManualClock } from '../../feeds/testing/manual-clock.ts'
import type { Candidate, FollowNeeds, FollowedSource, StatedMinute } from '../follow-port.ts'
import { followSeries } from '../series-follower.ts'
import { fakeFeed, type FakeFeed } from './fake-feed.ts'

/** A Friday noon on which every market is open. */
export const noonMs = Date.parse('2026-11-20T07:00Z')

export interface Followed {
  readonly sources: { readonly atMs: number; readonly current: FollowedSource | null; readonly reason: string | null }[]
  /** Since the newest source was told. */
  minutes: StatedMinute[]
  readonly stale: boolean[]
  readonly stop: () => void
}

export function startFollowing(clock: ManualClock, candidates: readonly Candidate[], needs: Partial<FollowNeeds> = {}): Followed {
  const sources: Followed['sources'] = []
  const stale: boolean[] = []
  const followed: Followed = { sources, minutes: [], stale, stop: () => stop() }
  const stop = followSeries(
    {
      series: 'btc-usdt',
      sessionClass: 'crypto',
      candidates,
      clock,
      log: () => undefined,
      backfillMinutes: 10,
      storedUntilMs: () => Promise.resolve(undefined),
      ...needs,
    },
    {
      source(current, reason) {
        if (current?.index !== sources.at(-1)?.current?.index) followed.minutes = []
        sources.push({ atMs: clock.now(), current, reason })
      },
      minutes: (minutes) => followed.minutes.push(...minutes),
      stale: (isStale) => stale.push(isStale),
    },
  )
  return followed
}

/** Lets time pass in small steps, and after each one whatever waits for promises. */
export async function pass(clock: ManualClock, ms: number, each: () => void = () => undefined): Promise<void> {
  const stepMs = 250
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(stepMs, left))
    await turn()
    each()
  }
}

/** One turn of the event loop, in which all promises that can go on do. */
function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(resolve)
  return promise
}

/** The last statement of each minute, ascending; fails if one was told twice or came open after it was closed. */
export function lastStatements(minutes: readonly StatedMinute[]): StatedMinute[] {
  const last = new Map<number, StatedMinute>()
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

/** Closed minutes as they stand at the end. */
export function closedMinutes({ minutes }: Followed): Candle[] {
  return lastStatements(minutes)
    .filter(({ isClosed }) => isClosed)
    .map(({ candle }) => candle)
}

export const newClock = (random?: () => number): ManualClock => manualClock(noonMs, random)

const staleAfterMs = 5 * secondMs

/** A clock, two sources and the demo. */
export function followWorld(live: 'minutes' | 'trades' = 'minutes') {
  const clock = manualClock(noonMs)
  const first = fakeFeed({ source: 'binance', live, clock })
  const second = fakeFeed({ source: 'kraken', live, clock, saysClosed: false })
  const demo = fakeFeed({ source: 'demo', live, clock })
  const feeds = [first, second, demo]
  let count = 0
  /** Something is traded everywhere, about every two seconds, at prices that go up. */
  const tradeAll = () => {
    count += 1
    if (count % 8 !== 0) return
    for (const feed of feeds) feed.trade({ timeMs: clock.now(), price: 100 + count / 100, size: 1, isTakerBuy: true })
  }
  return { clock, first, second, demo, run: (ms: number) => pass(clock, ms, tradeAll), quiet: (ms: number) => pass(clock, ms) }
}

export const candidate = (feed: FakeFeed): Candidate => ({ feed, symbol: 'X', staleAfterMs, label: { source: feed.source.toUpperCase() } })
/** Sources as they were told, with the reasons. */
export const told = ({ sources }: Followed) => sources.map(({ current, reason }) => [current?.source ?? null, reason])
