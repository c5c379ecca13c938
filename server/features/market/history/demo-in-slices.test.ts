// Generated candles come in slices: the same ones as at once, and other requests get their turn in between.
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { factsOf } from '#shared/market/instrument-facts.ts'
import { knownTimeframes } from '#shared/market/timeframe.ts'
import { workTurns } from '#server/http/work-turns.ts'
import { listStore } from '#server/testing/candles.ts'
import type { DemoHours, Feed } from '../feed.ts'
import { demoFeed } from '../feeds/demo.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { memoryCandles } from '../store/memory-candles.ts'
import { candleHistory } from './candle-history.ts'
import { demoReader } from './candle-reader.ts'

const nowMs = Date.parse('2026-11-20T06:10:20Z')
const now = () => nowMs
const markets: [string, DemoHours][] = [
  ['nifty', 'always'],
  ['nifty', 'session'],
  ['es', 'session'],
  ['btc-usd', 'always'],
]

test.each(markets)('%s, %s: the slices make up what is read at once', async (series, hours) => {
  const demo = demoFeed({ clock: manualClock(nowMs), hours })
  const sliced = demoReader({ demo, nowMs, turn: workTurns() }, series)
  for (const [step, days] of [
    ['1m', 9],
    ['1h', 130],
    ['1D', 2_000],
  ] as const) {
    // Neither end lies on an edge of the candles.
    const [fromMs, toMs] = [nowMs - days * dayMs - 7_000, nowMs + hourMs + 3_000]
    const candles = await sliced.range(step, fromMs, toMs)
    expect(candles.length).toBeGreaterThan(100)
    expect(candles).toEqual(await demo.history({ symbol: series, step, fromMs, toMs }))
  }
  expect(await sliced.range('1m', nowMs, nowMs)).toEqual([])
})

/** What is generated in one turn of the event loop at most: some milliseconds of work. */
const turnMs = { '1m': 12 * hourMs, '1h': 10 * dayMs, '1D': 60 * dayMs } as const

test.each(markets)('%s, %s: no turn of the event loop generates more than a slice, however many ask', async (series, hours) => {
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
  const store = memoryCandles(listStore(now), { now, monotonic: now })
  const needs = { store, policyOf: () => ({ holdBackMs: 0 }), extend: () => Promise.resolve(false), now, monotonic: now }
  const history = candleHistory({ ...needs, demo: counted })
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
