// When prices are reported as stale: silence counts only while prices are possible.
import { describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { candidate, followWorld, pass, startFollowing, notified } from './testing/follow-world.ts'

describe('invalid prices', () => {
  it('are logged once a minute with their count', async () => {
    const { clock, first, run } = followWorld('trades')
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

describe('staleness', () => {
  it('is reported after silence, cleared by the next price, and never reported while the market is closed', async () => {
    for (const [sessionClass, expected] of [
      ['crypto', [true, false]],
      ['nse-index', [true, false]],
    ] as const) {
      const { clock, first, run, quiet } = followWorld()
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
    const { clock, first, run, quiet } = followWorld('trades')
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
    const { clock, first, second, run, quiet } = followWorld('trades')
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

  it('is reported within five seconds of a cut', async () => {
    const { clock, first, run, quiet } = followWorld()
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
      const { clock, first, run, quiet } = followWorld()
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
    const { clock, first, quiet } = followWorld()
    clock.advance(Date.parse('2026-11-23T09:15+05:30') - clock.now() - minuteMs)
    const followed = startFollowing(clock, [candidate(first)], { sessionClass: 'nse-index' })
    await quiet(minuteMs + 3 * secondMs)
    expect(followed.stale).toEqual([])
    await quiet(3 * secondMs)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  it("uses the source's own hours if it has some", async () => {
    const { clock, demo, quiet } = followWorld()
    clock.advance(Date.parse('2026-11-21T12:00+05:30') - clock.now())
    const followed = startFollowing(clock, [{ ...candidate(demo), sessionClass: 'crypto' }], { sessionClass: 'nse-index' })
    await quiet(10 * secondMs)
    expect(followed.stale).toEqual([true])
    followed.stop()
  })
})
