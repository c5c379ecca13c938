// Generated candles are built in slices: with the same result, and with other requests served in between.
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { factsOf } from '#shared/instruments/instrument-facts.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { workTurns, demoReader } from './candle-reader.ts'
import { listStore } from '#server/testing/candles.ts'
import type { DemoHours, Feed } from '../feed.ts'
import { demoFeed } from '../feeds/demo-feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory } from './candle-history.ts'

const nowMs = Date.parse('2026-11-20T06:10:20Z')
const now = () => nowMs
const markets: [string, DemoHours][] = [
  ['nifty', 'always'],
  ['nifty', 'session'],
  ['es', 'session'],
  ['btc-usd', 'always'],
]

test.each(markets)('%s, %s: the slices equal one read', async (series, hours) => {
  const demo = demoFeed({ clock: manualClock(nowMs), hours })
  const sliced = demoReader({ demo, nowMs, turn: workTurns() }, series)
  for (const [step, days] of [
    ['1m', 9],
    ['1h', 130],
    ['1D', 2_000],
  ] as const) {
    // Neither end is on a candle edge.
    const [fromMs, toMs] = [nowMs - days * dayMs - 7_000, nowMs + hourMs + 3_000]
    const candles = await sliced.range(step, fromMs, toMs)
    expect(candles.length).toBeGreaterThan(100)
    expect(candles).toEqual(await demo.history({ symbol: series, step, fromMs, toMs }))
  }
  expect(await sliced.range('1m', nowMs, nowMs)).toEqual([])
})

/** Maximum generated in one turn of the event loop: a few milliseconds of work. */
const turnMs = { '1m': 12 * hourMs, '1h': 10 * dayMs, '1D': 60 * dayMs } as const

test.each(markets)('%s, %s: no event loop turn generates more than a slice, whatever the number of callers', async (series, hours) => {
  const demo = demoFeed({ clock: manualClock(nowMs), hours })
  const shares = [0]
  const counted: Feed = {
    ...demo,
    history(request) {
      const { step, fromMs, toMs } = request
      const most = turnMs[step as keyof typeof turnMs]
      shares[shares.length - 1] = (shares.at(-1) ?? 0) + (toMs - fromMs) / most
      return demo.history(request)
    },
  }
  const store = new CandleCache(listStore(now), { now, monotonic: now })
  const options = { store, delayMsOf: () => 0, extend: () => Promise.resolve(false), now, monotonic: now }
  const history = new CandleHistory({ ...options, demo: counted })
  const sessionClass = hours === 'always' ? 'crypto' : factsOf(series).sessionClass
  const end = { isReached: false }
  const countTurns = (): void => {
    shares.push(0)
    if (!end.isReached) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const asked = knownTimeframes.map((timeframe, index) =>
    history.candles({ series, source: 'demo', sessionClass, timeframe, toMs: nowMs - index * minuteMs, limit: 2_000 }),
  )
  for (const { candles } of await Promise.all(asked)) expect(candles.length).toBeGreaterThan(20)
  end.isReached = true
  expect(Math.max(...shares)).toBeLessThanOrEqual(1)
  expect(shares.length).toBeGreaterThan(100)
})

test('candles that were served stay if the clock is set back by minutes', async () => {
  const clock = manualClock(nowMs)
  const wall = () => clock.now()
  const store = new CandleCache(listStore(wall), { now: wall, monotonic: wall })
  const options = { store, delayMsOf: () => 0, extend: () => Promise.resolve(false), now: wall, monotonic: wall }
  const history = new CandleHistory({ ...options, demo: demoFeed({ clock }) })
  const wanted = { series: 'nifty', source: 'demo', sessionClass: 'crypto', timeframe: '1', toMs: nowMs + hourMs, limit: 20 } as const
  const served = await history.candles(wanted)
  expect(served.candles.at(-1)?.timeMs).toBe(Math.floor(nowMs / minuteMs - 1) * minuteMs)
  clock.stepWall(-3 * minuteMs)
  expect(await history.candles(wanted)).toEqual(served)
})
