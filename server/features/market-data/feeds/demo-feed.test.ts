// The demo market: deterministic, exact in every step, ticking at any hour.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { seriesKeys, factsOf } from '#shared/instruments/instrument-facts.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { FeedState, HistoryStep } from '../feed.ts'
import { ticksPerMinute } from './demo-market.ts'
import { demoFeed } from './demo-feed.ts'
import { manualClock } from './testing/manual-clock.ts'
import { demoMarketOf as marketOf } from './testing/demo-market-of.ts'

// A Saturday, when no stock exchange is open.
const nowMs = Date.parse('2026-11-21T08:00:30.250Z')

const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)

function joinCandles(candles: readonly Candle[]): Candle | undefined {
  return candles.reduce<Candle | undefined>(
    (whole, next) =>
      whole === undefined
        ? next
        : {
            timeMs: whole.timeMs,
            open: whole.open,
            high: Math.max(whole.high, next.high),
            low: Math.min(whole.low, next.low),
            close: next.close,
            volume: add(whole.volume, next.volume),
            takerBuyVolume: add(whole.takerBuyVolume, next.takerBuyVolume),
          },
    undefined,
  )
}

function listen() {
  const states: FeedState[] = []
  const minutes: { candle: Candle; isClosed: boolean }[] = []
  const sink = {
    minute: (candle: Candle, isClosed: boolean) => void minutes.push({ candle, isClosed }),
    trade: () => expect.unreachable('the demo tells minutes'),
    state: (state: FeedState) => void states.push(state),
  }
  return { states, minutes, sink }
}

const seriesArb = fc.constantFrom(...seriesKeys)
const dayArb = fc.integer({ min: 18_500, max: 20_777 })

describe('rejects', () => {
  test('history of an unknown series', async () => {
    const feed = demoFeed({ clock: manualClock(nowMs) })
    const asked = feed.history({ symbol: 'nothing', step: '1m', fromMs: 0, toMs: nowMs })
    await expect(asked).rejects.toMatchObject({ name: 'FeedError', kind: 'refused' })
  })

  test('a subscription to an unknown series, and its timer ends', () => {
    const clock = manualClock(nowMs)
    const { states, sink } = listen()
    demoFeed({ clock }).watch('nothing', sink)
    clock.advance(1000)
    expect(states).toEqual([{ kind: 'refused', reason: 'The demo has no nothing' }])
    expect(clock.nextDueMs()).toBeUndefined()
  })
})

describe('history', () => {
  test.for(seriesKeys)('%s has candles at any hour that a chart can show', async (series) => {
    const feed = demoFeed({ clock: manualClock(nowMs) })
    const candles = await feed.history({ symbol: series, step: '1m', fromMs: nowMs - (nowMs % minuteMs) - dayMs, toMs: nowMs })
    expect(candles).toHaveLength(1440)
    for (const candle of candles) {
      expect(candle.low).toBeGreaterThan(0)
      expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close))
      expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close))
      if (candle.volume !== null) expect(candle.takerBuyVolume).toBeLessThanOrEqual(candle.volume)
    }
    expect(new Set(candles.map((candle) => candle.close)).size).toBeGreaterThan(10)
  })

  test('hours and days aggregate exactly from their minutes', async () => {
    await assertProperty(
      fc.property(seriesArb, dayArb, (series, day) => {
        const market = marketOf(series)
        const minutes = market.candles('1m', day * dayMs, (day + 1) * dayMs)
        const hours = market.candles('1h', day * dayMs, (day + 1) * dayMs)
        expect(hours).toEqual(Array.from({ length: 24 }, (_, hour) => joinCandles(minutes.slice(hour * 60, hour * 60 + 60))))
        expect(market.candles('1D', day * dayMs, (day + 1) * dayMs)).toEqual([joinCandles(minutes)])
      }),
      { numRuns: 60 },
    )
  })

  test('a candle is the same whatever range is requested, and each opens where the previous one closed', async () => {
    await assertProperty(
      fc.property(
        seriesArb,
        dayArb,
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 1, max: 3000 }),
        (series, day, minute, length) => {
          const fromMs = day * dayMs + minute * minuteMs
          const candles = marketOf(series).candles('1m', fromMs, fromMs + length * minuteMs)
          expect(candles.map((candle) => candle.timeMs)).toEqual(Array.from({ length }, (_, i) => fromMs + i * minuteMs))
          const last = candles.at(-1)
          expect(marketOf(series).candles('1m', fromMs + (length - 1) * minuteMs, fromMs + length * minuteMs)).toEqual([last])
          for (const [i, candle] of candles.slice(1).entries()) expect(candle.open).toBe(candles[i]?.close)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('another seed is another market, the same seed the same', () => {
    const ask = (seed: string) => marketOf('nifty', seed).candles('1h', nowMs - dayMs, nowMs)
    expect(ask('a')).toEqual(ask('a'))
    expect(ask('a')).not.toEqual(ask('b'))
  })

  test('candles of a seed stay the same between versions', async () => {
    const hash = createHash('sha256')
    for (const hours of ['always', 'session'] as const) {
      const feed = demoFeed({ clock: manualClock(nowMs), hours })
      for (const symbol of ['nifty', 'reliance', 'eur-usd', 'es', 'btc-usdt']) {
        for (const [step, days] of [
          ['1m', 4],
          ['1h', 40],
          ['1D', 400],
        ] as const)
          hash.update(JSON.stringify(await feed.history({ symbol, step, fromMs: nowMs - days * dayMs, toMs: nowMs })))
      }
    }
    expect(hash.digest('hex')).toBe('50cd266e7c1d29fc40dd5d5f629f07a132c59af5f8332974db9ea44daf0bd97e')
  })

  test('the daily changes have the deviation of the table', () => {
    const days = marketOf('btc-usdt').candles('1D', nowMs - 1500 * dayMs, nowMs)
    const changes = days.map((candle) => Math.log(candle.close / candle.open))
    const deviation = Math.sqrt(changes.reduce((sum, change) => sum + change * change, 0) / changes.length)
    expect(deviation).toBeGreaterThan(0.02)
    expect(deviation).toBeLessThan(0.03)
  })

  test.for([
    ['1m', minuteMs],
    ['1h', hourMs],
    ['1D', dayMs],
  ] as const)('the forming %s candle and candles older than the demo are left out', async ([step, widthMs]) => {
    const feed = demoFeed({ clock: manualClock(nowMs) })
    const candles = await feed.history({ symbol: 'nifty', step, fromMs: nowMs - 3 * widthMs, toMs: nowMs + dayMs })
    expect(candles.at(-1)?.timeMs).toBe(Math.floor(nowMs / widthMs) * widthMs - widthMs)
    expect(await feed.history({ symbol: 'nifty', step, fromMs: 0, toMs: nowMs - 6 * 366 * dayMs })).toEqual([])
  })
})

describe('volume', () => {
  test.for(['btc-usdt', 'reliance', 'es'])('of %s does not jump between hours', (series) => {
    const minutes = marketOf(series).candles('1m', nowMs - (nowMs % hourMs) - 30 * dayMs, nowMs - (nowMs % hourMs))
    const meanOf = (from: number) => minutes.slice(from, from + 10).reduce((sum, candle) => sum + (candle.volume ?? 0), 0) / 10
    const jumps = Array.from({ length: 30 * 24 - 1 }, (_, index) => meanOf((index + 1) * 60) / meanOf((index + 1) * 60 - 10))
    const sizes = jumps.map((jump) => Math.max(jump, 1 / jump)).toSorted((one, other) => one - other)
    expect(sizes[Math.floor(sizes.length * 0.95)]).toBeLessThan(2)
    expect(sizes.at(-1)).toBeLessThan(4)
  })

  test.for(['btc-usdt', 'reliance', 'es'])('of %s does not jump between days', (series) => {
    const firstDay = Math.floor(nowMs / dayMs) - 60
    const days = marketOf(series).candles('1D', firstDay * dayMs, (firstDay + 60) * dayMs)
    const jumps = days.slice(1).map(({ volume }, index) => Math.abs(Math.log((volume ?? 0) / (days[index]?.volume ?? 0))))
    expect(Math.max(...jumps)).toBeLessThan(Math.log(2.5))
  })
})

describe('in trading hours', () => {
  const at = (time: string) => Date.parse(time)
  const feedAt = (time: string) => demoFeed({ clock: manualClock(at(time)), hours: 'session' })
  const iso = (ms: number) => new Date(ms).toISOString()

  test('there are no trades on a Sunday, on a holiday and at night', async () => {
    const feed = feedAt('2026-11-26T12:00+05:30')
    for (const [fromMs, toMs] of [
      [at('2026-11-20T15:35+05:30'), at('2026-11-23T09:15+05:30')],
      [at('2026-11-23T15:35+05:30'), at('2026-11-25T09:15+05:30')],
    ] as const) {
      for (const step of ['1m', '1h', '1D'] as const) {
        const candles = await feed.history({ symbol: 'nifty', step, fromMs, toMs })
        // A day is stamped 00:00 UTC of its date, which is before its opening.
        expect(candles.map(({ timeMs }) => iso(timeMs))).toEqual(
          step === '1D' ? [iso(at('2026-11-23')), iso(at('2026-11-25'))].filter((stamp) => at(stamp) >= fromMs && at(stamp) < toMs) : [],
        )
      }
    }
  })

  test.for([
    ['nifty', '2026-11-23'],
    ['reliance', '2026-11-23'],
    ['reliance', '2026-07-31'],
    ['sensex', '2026-11-08'],
    ['eur-usd', '2026-11-23'],
    ['xau-usd', '2026-11-26'],
    ['es', '2026-11-27'],
    ['gold-future', '2026-07-06'],
    ['btc-usdt', '2026-11-22'],
  ] as const)('hours and the day of %s on %s aggregate from their minutes', async ([symbol, date]) => {
    const feed = feedAt('2026-12-15T00:00Z')
    const { sessionClass } = factsOf(symbol)
    const { openMs = 0, closeMs = 0 } = calendarOf(sessionClass).sessionOn(date) ?? {}
    const minutes = await feed.history({ symbol, step: '1m', fromMs: openMs, toMs: closeMs })
    expect(minutes.length).toBeGreaterThan(50)
    expect(minutes.filter(({ timeMs }) => !isTradingMinute(sessionClass, timeMs))).toEqual([])
    const hours = await feed.history({ symbol, step: '1h', fromMs: openMs, toMs: closeMs })
    expect(hours).toEqual(resample(minutes, sessionClass, '60'))
    expect(await feed.history({ symbol, step: '1D', fromMs: at(date), toMs: at(date) + dayMs })).toEqual(
      resample(minutes, sessionClass, '1D'),
    )
  })

  test('an unfinished candle is left out, whatever its step', async () => {
    const feed = feedAt('2026-11-23T15:20:30+05:30')
    const stamps = async (step: HistoryStep) =>
      (await feed.history({ symbol: 'nifty', step, fromMs: at('2026-11-23'), toMs: at('2026-11-24') })).map(({ timeMs }) => iso(timeMs))
    expect((await stamps('1m')).at(-1)).toBe(iso(at('2026-11-23T15:19+05:30')))
    expect((await stamps('1h')).at(-1)).toBe(iso(at('2026-11-23T14:15+05:30')))
    expect(await stamps('1D')).toEqual([])
  })

  test('ticks end with the session, whose last minute is closed, and resume with the next one', () => {
    const clock = manualClock(at('2026-11-20T15:34:50+05:30'))
    const { states, minutes, sink } = listen()
    demoFeed({ clock, hours: 'session' }).watch('nifty', sink)
    clock.advance(dayMs)
    expect(states.map((state) => state.kind)).toEqual(['connecting', 'live'])
    expect(minutes.at(-1)).toMatchObject({ isClosed: true, candle: { timeMs: at('2026-11-20T15:34+05:30') } })
    const received = minutes.length
    clock.advance(at('2026-11-23T09:15:01+05:30') - clock.now())
    expect(minutes[received]).toMatchObject({ isClosed: false, candle: { timeMs: at('2026-11-23T09:15+05:30') } })
  })
})

describe('live', () => {
  test('a subscriber gets two ticks a second that end in the minute of history', async () => {
    const clock = manualClock(nowMs)
    const feed = demoFeed({ clock })
    const { states, minutes, sink } = listen()
    const stop = feed.watch('btc-usdt', sink)
    clock.advance(2 * minuteMs)
    expect(states.map((state) => state.kind)).toEqual(['connecting', 'live'])
    // 30.25 s into a minute the first tick is emitted immediately, the others on the half seconds.
    expect(minutes.filter((received) => !received.isClosed)).toHaveLength(1 + 2 * ticksPerMinute)
    const closed = minutes.filter((received) => received.isClosed).map((received) => received.candle)
    expect(closed).toEqual(
      await feed
        .history({ symbol: 'btc-usdt', step: '1m', fromMs: nowMs - minuteMs, toMs: nowMs + 2 * minuteMs })
        .then((all) => all.slice(-2)),
    )
    stop()
    const received = minutes.length
    clock.advance(minuteMs)
    expect(minutes).toHaveLength(received)
    expect(clock.nextDueMs()).toBeUndefined()
  })

  test('within a minute high, low and volume only grow, and the open never changes', () => {
    const market = marketOf('btc-usdt')
    const startMs = nowMs - (nowMs % minuteMs)
    const path = Array.from({ length: ticksPerMinute }, (_, i) => market.minuteAfter(startMs, i + 1))
    for (const [i, candle] of path.slice(1).entries()) {
      const before = path[i]
      expect(candle.open).toBe(before?.open)
      expect(candle.high).toBeGreaterThanOrEqual(before?.high ?? 0)
      expect(candle.low).toBeLessThanOrEqual(before?.low ?? 0)
      expect(candle.volume).toBeGreaterThanOrEqual(before?.volume ?? 0)
    }
    expect(path.at(-1)).toEqual(market.candles('1m', startMs, startMs + minuteMs)[0])
  })

  test('after a long system sleep the feed emits live again, so that the gap is backfilled', () => {
    let jumpMs = 0
    const inner = manualClock(nowMs)
    const clock = { ...inner, now: () => inner.now() + jumpMs }
    const { states, minutes, sink } = listen()
    const feed = demoFeed({ clock })
    feed.watch('nifty', sink)
    inner.advance(1000)
    jumpMs = hourMs
    inner.advance(1000)
    expect(states.map((state) => state.kind)).toEqual(['connecting', 'live', 'live'])
    expect(minutes.filter((received) => received.isClosed)).toEqual([])
  })

  test.each([-20_000, -3 * minuteMs, -14 * minuteMs])(
    'where the clock is set back by %i ms the minute is held until it has caught up; none is repeated or skipped',
    async (stepMs) => {
      const clock = manualClock(nowMs)
      const { minutes, sink } = listen()
      const feed = demoFeed({ clock })
      const read = () => feed.history({ symbol: 'nifty', step: '1m', fromMs: nowMs - 5 * minuteMs, toMs: nowMs + hourMs })
      feed.watch('nifty', sink)
      clock.advance(minuteMs)
      const [last, served] = [minutes.at(-1), await read()]
      const before = minutes.length
      clock.stepWall(stepMs)
      const late = listen()
      feed.watch('nifty', late.sink)
      clock.advance(-stepMs - 1)
      expect(await read()).toEqual(served)
      for (const received of [minutes.slice(before), late.minutes]) {
        expect(received.length).toBeGreaterThan(30)
        for (const minute of received) expect(minute).toEqual(last)
      }
      clock.advance(2 * minuteMs)
      const stamps = minutes.map(({ candle }) => candle.timeMs)
      expect(stamps).toEqual(stamps.toSorted((one, other) => one - other))
      const closed = minutes.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
      const startMs = nowMs - (nowMs % minuteMs)
      expect(closed.map(({ timeMs }) => timeMs)).toEqual([0, 1, 2].map((minute) => startMs + minute * minuteMs))
      expect((await read()).slice(-3)).toEqual(closed)
    },
  )

  test('where the clock was an hour ahead, new subscribers start at the wall clock', async () => {
    const clock = manualClock(nowMs)
    const feed = demoFeed({ clock })
    feed.watch('nifty', listen().sink)
    clock.advance(minuteMs)
    clock.stepWall(-hourMs)
    const { minutes, sink } = listen()
    feed.watch('nifty', sink)
    clock.advance(minuteMs)
    const startMs = clock.now() - (clock.now() % minuteMs)
    expect(minutes.at(-1)).toMatchObject({ isClosed: false, candle: { timeMs: startMs } })
    const candles = await feed.history({ symbol: 'nifty', step: '1m', fromMs: nowMs - 2 * hourMs, toMs: nowMs + hourMs })
    expect(candles.at(-1)?.timeMs).toBe(startMs - minuteMs)
  })

  test('a clock that is set back by more than a minute is logged once for all subscribers', () => {
    const clock = manualClock(nowMs)
    const notes: unknown[] = []
    const feed = demoFeed({ clock, log: (line, details) => void notes.push([line, details]) })
    feed.watch('nifty', listen().sink)
    feed.watch('btc-usdt', listen().sink)
    clock.advance(1_000)
    clock.stepWall(-minuteMs)
    clock.advance(2_000)
    expect(notes).toEqual([])
    clock.stepWall(-hourMs)
    clock.advance(10_000)
    expect(notes).toEqual([[expect.stringContaining('set back'), { byMs: expect.any(Number) }]])
    clock.advance(2 * hourMs)
    clock.stepWall(-hourMs)
    clock.advance(1_000)
    expect(notes).toHaveLength(2)
    clock.stepWall(-3 * minuteMs)
    clock.advance(1_000)
    expect(notes.slice(2)).toEqual([[expect.stringContaining('stand still'), { byMs: expect.any(Number) }]])
  })

  test('closing the feed stops every subscription', async () => {
    const clock = manualClock(nowMs)
    const feed = demoFeed({ clock })
    feed.watch('nifty', listen().sink)
    feed.watch('btc-usdt', listen().sink)
    clock.advance(1000)
    await feed.close()
    clock.advance(1000)
    expect(clock.nextDueMs()).toBeUndefined()
  })
})
