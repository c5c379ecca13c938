// Following a series: source selection with reasons, and output when connections break, history is slow, or nothing arrives.
import { describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { FeedError, type Trade } from '../feed.ts'
import { demoFeed } from '../feeds/demo-feed.ts'
import type { FakeFeed } from './testing/fake-feed.ts'
import { candidate, closedMinutes, followerFixture, newClock, noonMs, pass, startFollowing, notified } from './testing/follower-fixture.ts'

const unreachable = [null, 'kraken'].map((source) => [source, 'BINANCE: cannot be reached'])

describe('no source', () => {
  it('is reported immediately if none is configured', () => {
    const { clock } = followerFixture()
    expect(notified(startFollowing(clock, []))).toEqual([[null, 'No price source is set up for this instrument.']])
  })

  it('is reported with the reason of each failed source', async () => {
    const { clock, first, second, quiet } = followerFixture()
    first.door = 'refused'
    second.door = 'mute'
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await quiet(9 * secondMs)
    expect(notified(followed)).toEqual([
      [null, 'BINANCE: the key is wrong'],
      [null, 'BINANCE: the key is wrong; KRAKEN: no connection within 8 seconds'],
    ])
    followed.stop()
  })

  it('is not reported while the first one is being tried', async () => {
    const { clock, first, quiet } = followerFixture()
    first.door = 'mute'
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(7 * secondMs)
    expect(followed.sources).toEqual([])
    followed.stop()
    await quiet(9 * secondMs)
    expect([followed.sources, first.watchers()]).toEqual([[], 0])
  })
})

describe('the selected source', () => {
  it('is the first working one, and the others are not used', async () => {
    const { clock, first, second, run } = followerFixture()
    await run(5 * minuteMs)
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await run(3 * minuteMs)
    expect(notified(followed)).toEqual([['binance', null]])
    expect([first.watchers(), second.watchers(), second.asked]).toEqual([1, 0, []])
    followed.stop()
    expect(first.watchers()).toBe(0)
  })

  it('falls back to the next one when the first does not respond, and returns to the first when it does', async () => {
    const { clock, first, second, run } = followerFixture()
    await run(5 * minuteMs)
    first.door = 'mute'
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await run(3 * minuteMs)
    expect(notified(followed).at(-1)).toEqual(['kraken', 'BINANCE: no connection within 8 seconds'])
    first.restore()
    await run(70 * secondMs)
    expect(notified(followed).at(-1)).toEqual(['binance', null])
    expect(second.watchers()).toBe(0)
    await run(2 * minuteMs)
    expect(closedMinutes(followed)).toEqual(
      first.truth(Math.floor(clock.now() / minuteMs - 13) * minuteMs, clock.now() - minuteMs).slice(-closedMinutes(followed).length),
    )
    expect(closedMinutes(followed).length).toBeGreaterThan(10)
    followed.stop()
  })

  it('falls back at the second failure of a source that never responded, with a plain reason', async () => {
    const { clock, first, second, run, quiet } = followerFixture()
    await run(5 * minuteMs)
    const watch = first.watch.bind(first)
    const gone = { kind: 'down', reason: 'getaddrinfo ENOTFOUND nowhere.example', retryInMs: 1000 } as const
    const lost: FakeFeed = {
      ...first,
      watch(symbol, sink) {
        for (const afterMs of [0, secondMs]) clock.after(afterMs, () => sink.state(gone))
        return watch(symbol, { ...sink, state: () => undefined })
      },
    }
    const followed = startFollowing(clock, [candidate(lost), candidate(second)])
    await quiet(secondMs / 2)
    expect(followed.sources).toEqual([])
    await run(3 * secondMs)
    expect(notified(followed)).toEqual(unreachable)
    followed.stop()
  })

  it('falls back immediately when other series know that the source cannot be reached', async () => {
    const { clock, first, second, run } = followerFixture()
    const known = { kind: 'down', reason: 'connect ECONNREFUSED', retryInMs: 1000, failures: 2 } as const
    const lost: FakeFeed = { ...first, watch: (_symbol, sink) => (sink.state(known), () => undefined) }
    const followed = startFollowing(clock, [candidate(lost), candidate(second)])
    await run(secondMs / 2)
    expect(notified(followed)).toEqual(unreachable)
    followed.stop()
  })

  it('retries a rejecting source once a minute, and uses it when it accepts', async () => {
    const { clock, first, run } = followerFixture()
    first.door = 'refused'
    const followed = startFollowing(clock, [candidate(first)])
    await run(40 * secondMs)
    expect(notified(followed)).toEqual([[null, 'BINANCE: the key is wrong']])
    first.door = 'up'
    await run(minuteMs)
    expect(notified(followed).at(-1)).toEqual(['binance', null])
    followed.stop()
  })

  it('falls back when the current one rejects or stays cut', async () => {
    for (const breakIt of [(feed: FakeFeed) => feed.reject(), (feed: FakeFeed) => feed.cut()]) {
      const { clock, first, second, run } = followerFixture()
      const followed = startFollowing(clock, [candidate(first), candidate(second)])
      await run(2 * minuteMs)
      breakIt(first)
      await run(10 * secondMs)
      expect(followed.sources.at(-1)?.current).toEqual({ index: 1, source: 'kraken' })
      expect(followed.sources.at(-1)?.reason).toMatch(/^BINANCE: the (key is wrong|line broke)$/)
      followed.stop()
    }
  })

  it('is kept during a short cut', async () => {
    const { clock, first, second, run } = followerFixture()
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await run(2 * minuteMs)
    first.cut()
    await run(4 * secondMs)
    first.restore()
    await run(2 * minuteMs)
    expect(notified(followed)).toEqual([['binance', null]])
    expect(second.asked).toEqual([])
    followed.stop()
  })

  it('falls back after a long silence, and returns only when the first one emits again', async () => {
    const { clock, first, second, run } = followerFixture()
    const followed = startFollowing(clock, [candidate(first), candidate(second)])
    await run(2 * minuteMs)
    first.isSilent = true
    await run(70 * secondMs)
    expect(notified(followed).at(-1)).toEqual(['kraken', 'BINANCE: connected, but no prices come'])
    await run(3 * minuteMs)
    expect(notified(followed)).toHaveLength(3)
    first.isSilent = false
    await run(70 * secondMs)
    expect(notified(followed).at(-1)).toEqual(['binance', null])
    followed.stop()
  })

  it('is the demo only if nothing else ever worked', async () => {
    const { clock, first, demo, run } = followerFixture()
    first.door = 'down'
    const followed = startFollowing(clock, [candidate(first), candidate(demo)])
    await run(20 * secondMs)
    expect(notified(followed).at(-1)).toEqual(['demo', 'BINANCE: the line broke'])
    first.restore()
    await run(70 * secondMs)
    expect(notified(followed).at(-1)).toEqual(['binance', null])
    first.cut()
    await run(3 * minuteMs)
    expect(notified(followed).at(-1)).toEqual(['binance', 'BINANCE: the line broke'])
    expect(followed.stale).toEqual([true])
    followed.stop()
  })

  it('is a source without working history only if there is no other one', async () => {
    const { clock, first, second, run } = followerFixture()
    first.history$.error = new FeedError('unreachable', 'no history today')
    const pair = startFollowing(clock, [candidate(first), candidate(second)])
    await run(25 * secondMs)
    expect(notified(pair).at(-1)).toEqual(['kraken', 'BINANCE: connected, but the missing candles do not come'])
    pair.stop()
    const alone = startFollowing(clock, [candidate(first)])
    await run(15 * secondMs)
    expect(alone.minutes).toEqual([])
    await run(10 * secondMs)
    expect(notified(alone)).toEqual([['binance', null]])
    expect(alone.minutes.length).toBeGreaterThan(0)
    alone.stop()
  })
})

describe('the backfill', () => {
  it('goes back as far as configured, and continues from stored minutes', async () => {
    const { clock, first, run } = followerFixture()
    await run(15 * minuteMs)
    const nowMs = clock.now()
    startFollowing(clock, [candidate(first)]).stop()
    startFollowing(clock, [candidate(first)], { storedUntilMs: () => Promise.resolve(nowMs - 3 * minuteMs) }).stop()
    startFollowing(clock, [candidate(first)], { storedUntilMs: () => Promise.reject(new Error('the database is away')) }).stop()
    const followed = startFollowing(clock, [candidate(first)], { storedUntilMs: () => Promise.resolve(nowMs - 3 * minuteMs) })
    await run(secondMs)
    // The last four are requested once more, as they may not have been final.
    expect(first.asked).toEqual([nowMs - 7 * minuteMs])
    expect(closedMinutes(followed)).toEqual(first.truth(nowMs - 7 * minuteMs, nowMs))
    followed.stop()
    const unknown = startFollowing(clock, [candidate(first)], { storedUntilMs: () => Promise.reject(new Error('the database is away')) })
    await run(secondMs)
    expect(first.asked.at(-1)).toBe(nowMs - 10 * minuteMs)
    unknown.stop()
  })

  it('buffers prices until it has finished, and then emits all of them', async () => {
    const { clock, first, run } = followerFixture()
    await run(15 * minuteMs)
    first.history$.delayMs = 6 * secondMs
    const followed = startFollowing(clock, [candidate(first)])
    await run(5 * secondMs)
    expect([followed.sources, followed.minutes]).toEqual([[], []])
    await run(2 * secondMs)
    expect(closedMinutes(followed)).toHaveLength(10)
    expect(followed.minutes.at(-1)).toMatchObject({ isClosed: false })
    followed.stop()
  })

  it('after a cut fills what was missed, without duplicates', async () => {
    const { clock, first, run } = followerFixture()
    await run(12 * minuteMs)
    const startMs = clock.now() - 10 * minuteMs
    const followed = startFollowing(clock, [candidate(first)])
    await run(2.6 * minuteMs)
    first.cut()
    await run(7.3 * minuteMs)
    expect(followed.stale).toEqual([true])
    first.restore()
    await run(3 * minuteMs)
    expect(followed.stale).toEqual([true, false])
    const untilMs = Math.floor(clock.now() / minuteMs) * minuteMs - minuteMs
    expect(closedMinutes(followed).filter(({ timeMs }) => timeMs < untilMs)).toEqual(first.truth(startMs, untilMs))
    expect(notified(followed)).toEqual([
      ['binance', null],
      ['binance', 'BINANCE: the line broke'],
      ['binance', null],
    ])
    followed.stop()
  })

  it('starts before the newest received minute, because data in flight is lost in a cut', async () => {
    const { clock, first, quiet } = followerFixture('trades')
    const trade = (price: number) => first.trade({ timeMs: clock.now(), price, size: 1, isTakerBuy: true })
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(2 * minuteMs + 55 * secondMs)
    first.line.delayMs = 30 * secondMs
    trade(95)
    await quiet(10 * secondMs)
    first.line.delayMs = 0
    trade(96)
    await quiet(10 * secondMs)
    first.cut()
    await quiet(8 * minuteMs)
    first.restore()
    await quiet(3 * minuteMs)
    expect(closedMinutes(followed)).toEqual(first.truth(noonMs, clock.now()))
    expect(closedMinutes(followed)).toHaveLength(2)
    followed.stop()
  })

  it('of an earlier cut is retried if it fails and the connection breaks again', async () => {
    const { clock, first, run, quiet } = followerFixture()
    await run(12 * minuteMs)
    const followed = startFollowing(clock, [candidate(first)])
    await run(3 * minuteMs)
    // No minute is open when the connection breaks.
    await quiet(65 * secondMs)
    first.cut()
    await run(6 * minuteMs)
    first.history$.error = new FeedError('unreachable', 'no history now')
    first.restore()
    await run(10 * secondMs)
    first.cut()
    await run(6 * minuteMs)
    first.history$.error = null
    first.restore()
    await run(3 * minuteMs)
    const untilMs = Math.floor(clock.now() / minuteMs - 1) * minuteMs
    expect(closedMinutes(followed).filter(({ timeMs }) => timeMs < untilMs)).toEqual(first.truth(noonMs + 2 * minuteMs, untilMs))
    followed.stop()
  })

  it('waits for the retry time of a rate-limited source', async () => {
    const { clock, first, run } = followerFixture()
    await run(12 * minuteMs)
    first.history$.error = new FeedError('limited', 'too many requests', { retryAfterMs: 15 * secondMs })
    const followed = startFollowing(clock, [candidate(first)])
    await run(14 * secondMs)
    expect(first.asked).toHaveLength(1)
    first.history$.error = null
    await run(2 * secondMs)
    expect(first.asked).toHaveLength(2)
    expect(closedMinutes(followed)).toHaveLength(10)
    followed.stop()
  })
})

describe('closing', () => {
  const trade = (timeMs: number, price: number): Trade => ({ timeMs, price, size: 1, isTakerBuy: true })

  it('does not close a partial minute before history has returned it whole', async () => {
    const { clock, first, quiet } = followerFixture('trades')
    first.trade(trade(noonMs, 90))
    await quiet(30 * secondMs)
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(secondMs)
    first.trade(trade(clock.now(), 95))
    await quiet(33 * secondMs)
    expect(followed.minutes).toMatchObject([{ candle: { open: 95, volume: 1 }, isClosed: false }])
    await quiet(2 * secondMs)
    expect(followed.minutes.at(-1)).toMatchObject({ candle: { open: 90, close: 95, volume: 2 }, isClosed: true })
    followed.stop()
  })

  it('is done by the clock if the source does not do it, and a quiet minute is no candle', async () => {
    const { clock, first, quiet } = followerFixture('trades')
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(2 * minuteMs)
    first.trade(trade(clock.now(), 95))
    await quiet(61 * secondMs)
    expect(followed.minutes).toMatchObject([{ isClosed: false }])
    await quiet(2 * secondMs)
    expect(followed.minutes).toMatchObject([{ isClosed: false }, { isClosed: true }])
    await quiet(5 * minuteMs)
    expect(followed.minutes).toHaveLength(2)
    followed.stop()
  })

  it('waits for history if the connection was cut within the minute', async () => {
    const { clock, first, quiet } = followerFixture('trades')
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(2 * minuteMs)
    first.trade(trade(clock.now(), 95))
    await quiet(10 * secondMs)
    first.cut()
    first.trade(trade(clock.now(), 99))
    await quiet(2 * minuteMs)
    expect(followed.minutes).toMatchObject([{ isClosed: false }])
    first.restore()
    await quiet(secondMs)
    expect(followed.minutes).toMatchObject([{ isClosed: false }, { candle: { close: 99, volume: 2 }, isClosed: true }])
    followed.stop()
  })

  it('can be followed by a correction, when a trade is late', async () => {
    const { clock, first, quiet } = followerFixture('trades')
    const followed = startFollowing(clock, [candidate(first)])
    await quiet(2 * minuteMs)
    first.trade(trade(clock.now(), 95))
    await quiet(70 * secondMs)
    first.trade(trade(noonMs + 2.5 * minuteMs, 97))
    await quiet(secondMs)
    expect(followed.minutes.at(-1)).toMatchObject({ candle: { close: 97, volume: 2 }, isClosed: true })
    followed.stop()
  })
})

describe('invalid data from a source', () => {
  it('is not emitted, nor is a single jump', async () => {
    const { clock, first, run } = followerFixture('trades')
    const followed = startFollowing(clock, [candidate(first)])
    await run(2 * minuteMs)
    // The last trades arrive, and their minute is closed.
    await pass(clock, 3 * secondMs)
    const before = followed.minutes.length
    for (const price of [0, -5, Number.NaN, 500]) first.trade({ timeMs: clock.now(), price, size: 1, isTakerBuy: true })
    await pass(clock, secondMs)
    expect(followed.minutes).toHaveLength(before)
    followed.stop()
  })
})

describe('a wall clock that is set back by minutes', () => {
  it('makes the demo stand still: not stale, no minute twice or left out, also for a follower that starts meanwhile', async () => {
    const clock = newClock()
    const demo = demoFeed({ clock })
    const wanted = { feed: demo, symbol: 'btc-usdt', staleAfterMs: 4 * secondMs }
    const first = startFollowing(clock, [wanted])
    await pass(clock, 4 * minuteMs + 10 * secondMs)
    const { length } = first.minutes
    clock.stepWall(-3 * minuteMs)
    await pass(clock, minuteMs)
    expect(first.minutes).toHaveLength(length)
    const second = startFollowing(clock, [wanted])
    await pass(clock, 5 * minuteMs)
    const all = await demo.history({ symbol: 'btc-usdt', step: '1m', fromMs: noonMs - 10 * minuteMs, toMs: noonMs + 60 * minuteMs })
    expect(all.at(-1)?.timeMs).toBe(noonMs + 6 * minuteMs)
    expect(closedMinutes(first)).toEqual(all)
    expect(closedMinutes(second)).toEqual(all.slice(-13))
    expect([first.stale, second.stale]).toEqual([[], []])
    first.stop()
    second.stop()
  })
})
