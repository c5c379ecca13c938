// When prices are reported as stale: silence counts only while prices are possible.
import { describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { FakeFeed } from './testing/fake-feed.ts'
import { candidate, closedMinutes, followerFixture, noonMs, notified, pass, startFollowing } from './testing/follower-fixture.ts'

describe('invalid prices', () => {
  it('are logged once a minute with their count', async () => {
    const { clock, first, run } = followerFixture('trades')
    const lines: (readonly [string, unknown])[] = []
    const followed = startFollowing(clock, [candidate(first)], { log: (line, details) => lines.push([line, details?.['count']]) })
    await run(10 * secondMs)
    await pass(clock, 3 * minuteMs, () => first.trade({ timeMs: clock.now(), price: -1, size: 1, isTakerBuy: true }))
    const refused = lines.filter(([line]) => line === 'price refused')
    expect(refused.length).toBeGreaterThan(1)
    expect(refused.length).toBeLessThanOrEqual(4)
    expect(refused.at(-1)?.[1]).toBeGreaterThan(100)
    followed.stop()
  })
})

describe('messages that cannot be used', () => {
  it('are counted one by one, those that the adapter has left out as well', async () => {
    const { clock, first, run, quiet } = followerFixture('trades')
    const rejected: string[] = []
    const onRejected = (source: string, issue: string): void => void rejected.push(`${source} ${issue}`)
    const followed = startFollowing(clock, [candidate(first)], { onRejected })
    await run(10 * secondMs)
    first.trade({ timeMs: clock.now(), price: -1, size: 1, isTakerBuy: true })
    first.trade({ timeMs: clock.now(), price: NaN, size: 1, isTakerBuy: true })
    first.suspect(clock.now())
    await quiet(secondMs)
    expect(rejected).toEqual(['binance not-positive', 'binance not-a-number', 'binance not-a-number'])
    followed.stop()
    first.suspect(clock.now())
    await quiet(secondMs)
    expect(rejected).toHaveLength(3)
  })
})

describe('staleness', () => {
  it('is reported after silence, cleared by the next price, and never reported while the market is closed', async () => {
    for (const [sessionClass, expected] of [
      ['crypto', [true, false]],
      ['nse-index', [true, false]],
    ] as const) {
      const { clock, first, run, quiet } = followerFixture()
      const followed = startFollowing(clock, [candidate(first)], { sessionClass })
      await run(minuteMs)
      await quiet(4 * secondMs)
      expect(followed.stale).toEqual([])
      await quiet(4 * secondMs)
      expect(followed.stale).toEqual([true])
      await run(4 * secondMs)
      expect(followed.stale).toEqual(expected)
      followed.stop()
    }
  })

  it('is not reported for a quiet market while the source proves it, and reported when the proof ends', async () => {
    const { clock, first, run, quiet } = followerFixture('trades')
    const followed = startFollowing(clock, [candidate(first)])
    await run(minuteMs)
    await pass(clock, 5 * minuteMs, () => first.prove())
    expect(followed.stale).toEqual([])
    expect(notified(followed)).toEqual([['binance', null]])
    await quiet(6 * secondMs)
    expect(followed.stale).toEqual([true])
    await pass(clock, 2 * secondMs, () => first.prove())
    expect(followed.stale).toEqual([true, false])
    first.cut()
    await quiet(5 * secondMs)
    expect(followed.stale).toEqual([true, false, true])
    followed.stop()
  })

  it('does not make a better source wait for a trade when it has proved that there is none', async () => {
    const { clock, first, second, run, quiet } = followerFixture('trades')
    first.door = 'down'
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await run(20 * secondMs)
    // No trade is in flight when the better source returns.
    await quiet(secondMs)
    expect(notified(followed).at(-1)?.[0]).toBe('kraken')
    first.restore()
    await pass(clock, 3 * minuteMs, () => (first.prove(), second.prove()))
    expect(notified(followed).at(-1)).toEqual(['binance', null])
    followed.stop()
  })

  it('is reported of a source that repeats its last message, and the minutes that it left out are requested', async () => {
    const { clock, first, run } = followerFixture()
    const repeating = { isOn: false }
    let last: readonly [Candle, boolean, number] | undefined
    const repeater: FakeFeed = {
      ...first,
      watch: (symbol, sink) =>
        first.watch(symbol, {
          ...sink,
          minute(candle, isClosed) {
            if (!repeating.isOn) last = [candle, isClosed, clock.now()]
            if (last !== undefined) sink.minute(...last)
          },
        }),
    }
    const covered: TimeSpan[] = []
    const followed = startFollowing(clock, [candidate(repeater)], {}, (spans) => covered.push(...spans))
    await run(3 * minuteMs)
    repeating.isOn = true
    const frozenMs = Math.floor(clock.now() / minuteMs) * minuteMs
    await run(6 * secondMs)
    expect(followed.stale).toEqual([true])
    await run(4 * minuteMs)
    expect(followed.stale).toEqual([true])
    expect(Math.max(...covered.map(({ toMs }) => toMs))).toBeLessThanOrEqual(frozenMs)
    repeating.isOn = false
    await run(2 * minuteMs)
    expect(followed.stale).toEqual([true, false])
    const untilMs = Math.floor(clock.now() / minuteMs) * minuteMs - minuteMs
    const fromMs = noonMs - 9 * minuteMs
    const isSettled = ({ timeMs }: Candle) => timeMs >= fromMs && timeMs < untilMs
    expect(closedMinutes(followed).filter(isSettled)).toEqual(first.truth(fromMs, untilMs))
    expect(covered.reduce<TimeSpan[]>(addSpan, []).some((span) => span.fromMs <= frozenMs && span.toMs >= untilMs)).toBe(true)
    followed.stop()
  })

  it.each([
    ['newer and of the present', 1_000, 0, false],
    ['of the same moment', 0, 0, true],
    ['newer, about a minute of long ago', 1_000, -3 * minuteMs, true],
  ])('judges messages by their time: %s', async (_, stepMs, backMs, isStale) => {
    const { clock, first, quiet } = followerFixture()
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(secondMs)
    const candle = { open: 1, high: 1, low: 1, close: 1, volume: 1, takerBuyVolume: null }
    const startMs = clock.now()
    for (let count = 0; count < 20; count += 1) {
      const eventMs = startMs + count * stepMs
      first.say({ ...candle, timeMs: Math.floor(eventMs / minuteMs) * minuteMs + backMs }, eventMs)
      await quiet(secondMs)
    }
    expect(followed.stale.at(-1) ?? false).toBe(isStale)
    followed.stop()
  })

  it('is reported within five seconds of a cut', async () => {
    const { clock, first, run, quiet } = followerFixture()
    const followed = startFollowing(clock, [candidate(first)])
    await run(minuteMs)
    first.trade({ timeMs: clock.now(), price: 102.5, size: 1, isTakerBuy: true })
    await quiet(secondMs / 4)
    first.cut()
    await quiet(3 * secondMs)
    expect(followed.stale).toEqual([])
    await quiet(1.5 * secondMs)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  it('does not exist outside trading hours, nor in the closing auction before its price', async () => {
    const rows = [
      ['nse-index', '2026-11-20T15:30+05:30'],
      ['nse-equity', '2026-11-20T15:15+05:30'],
      ['fx', '2026-11-20T22:00Z'],
    ] as const
    for (const [sessionClass, close] of rows) {
      const { clock, first, run, quiet } = followerFixture()
      clock.advance(Date.parse(close) - clock.now() - 20 * secondMs)
      const followed = startFollowing(clock, [candidate(first)], { sessionClass })
      await run(20 * secondMs)
      await quiet(10 * minuteMs)
      expect(followed.stale).toEqual([])
      expect(notified(followed)).toEqual([['binance', null]])
      followed.stop()
    }
  })

  it('starts to count when the market opens', async () => {
    const { clock, first, quiet } = followerFixture()
    clock.advance(Date.parse('2026-11-23T09:15+05:30') - clock.now() - minuteMs)
    const followed = startFollowing(clock, [candidate(first)], { sessionClass: 'nse-index' })
    await quiet(minuteMs + 3 * secondMs)
    expect(followed.stale).toEqual([])
    await quiet(3 * secondMs)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  it("uses the source's own hours if it has some", async () => {
    const { clock, demo, quiet } = followerFixture()
    clock.advance(Date.parse('2026-11-21T12:00+05:30') - clock.now())
    const followed = startFollowing(clock, [{ ...candidate(demo), sessionClass: 'crypto' }], { sessionClass: 'nse-index' })
    await quiet(10 * secondMs)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })
})
