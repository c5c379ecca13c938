// A source that rewrites history on ex-dates: stored candles are always unadjusted.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { listStore } from '#server/testing/candles.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { weekdayOf } from '#shared/trading-hours/day.ts'
import { FeedError, stepMs, type Feed, type HistoryStep } from '../feed.ts'
import { checkAdjustment, memoryChecks } from './check-adjustment.ts'
import { unadjustedFeed } from './unadjusted-feed.ts'

const dateMs = Date.parse
/** RELIANCE: 1:1 bonus. */
const exMs = dateMs('2024-10-28')
const afterMs = dateMs('2024-11-20T12:00:00Z')

/** Unadjusted: half the price and twice the volume from the ex-date on, with a little movement. */
function traded(timeMs: number): Candle {
  const price = Math.round((timeMs < exMs ? 2_655.7 : 1_327.85) * (1 + ((timeMs / 60_000) % 7) / 1_000) * 100) / 100
  return { timeMs, open: price, high: price, low: price, close: price, volume: timeMs < exMs ? 100 : 200, takerBuyVolume: null }
}

/** A broker whose history is adjusted from `appliesMs` on, rounded to paise, as real ones do. */
function broker(clock: { nowMs: number }, appliesMs: number, isRestored = false) {
  const asked: { step: HistoryStep; fromMs: number }[] = []
  const state = { isDown: false }
  const feed: Feed = {
    source: 'kite',
    steps: ['1h', '1D'],
    live: 'none',
    splitHistory: isRestored ? 'restored' : 'adjusted',
    history({ step, fromMs, toMs }) {
      asked.push({ step, fromMs })
      if (state.isDown) return Promise.reject(new FeedError('unreachable', 'gone'))
      const lengthMs = stepMs[step]
      const candles: Candle[] = []
      for (let timeMs = Math.ceil(fromMs / lengthMs) * lengthMs; timeMs < toMs && timeMs + lengthMs <= clock.nowMs; timeMs += lengthMs) {
        const isOpen =
          weekdayOf(Math.floor(timeMs / dayMs)) <= 5 && (step === '1D' || (timeMs % dayMs >= 4 * hourMs && timeMs % dayMs < 10 * hourMs))
        if (isOpen) candles.push(clock.nowMs >= appliesMs && !isRestored && timeMs < exMs ? halved(traded(timeMs)) : traded(timeMs))
      }
      return Promise.resolve(candles)
    },
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
  const now = () => clock.nowMs
  return { feed: unadjustedFeed(feed, { series: 'reliance', priceDecimals: 2, clock: { now } }), raw: feed, asked, state, now }
}

function halved(candle: Candle): Candle {
  const half = (price: number) => Math.round(price * 50) / 100
  const { open, high, low, close, volume } = candle
  return { ...candle, open: half(open), high: half(high), low: half(low), close: half(close), volume: (volume ?? 0) * 2 }
}

const expectTraded = (candles: readonly Candle[]): void => {
  expect(candles.length).toBeGreaterThan(0)
  for (const candle of candles) {
    const truth = traded(candle.timeMs)
    // Rounding to paise after the division loses the last digit.
    expect(Math.abs(candle.close - truth.close)).toBeLessThanOrEqual(0.011)
    expect(candle.volume).toBe(truth.volume)
  }
}

test.each([
  ['long after', afterMs, exMs],
  ['on the ex-date, already divided', exMs + 7 * hourMs, exMs],
  ['on the ex-date, not yet divided', exMs + 7 * hourMs, exMs + 2 * dayMs],
  ['days later, still not divided', exMs + 5 * dayMs + 7 * hourMs, Infinity],
  ['before', exMs - 3 * hourMs, exMs],
])('history is returned unadjusted: %s', async (_name, nowMs, appliesMs) => {
  const { feed } = broker({ nowMs }, appliesMs)
  for (const step of ['1D', '1h'] as const)
    expectTraded(await feed.history({ symbol: 'NSE:RELIANCE', step, fromMs: dateMs('2024-10-01'), toMs: nowMs }))
})

test('a source that adjusts within days of the ex-date is checked again', async () => {
  const clock = { nowMs: exMs + 10 * hourMs }
  const { feed } = broker(clock, exMs + 26 * hourMs)
  const request = { symbol: 'NSE:RELIANCE', step: '1D', fromMs: dateMs('2024-10-01'), toMs: afterMs } as const
  expectTraded(await feed.history(request))
  clock.nowMs = exMs + 34 * hourMs
  expectTraded(await feed.history(request))
})

test('a feed without adjusted history, and a series without splits, are unchanged', () => {
  const { raw } = broker({ nowMs: afterMs }, exMs)
  expect(unadjustedFeed(raw, { series: 'havells', priceDecimals: 2, clock: { now: () => afterMs } })).toBe(raw)
  const { splitHistory: _, ...plain } = raw
  expect(unadjustedFeed(plain, { series: 'reliance', priceDecimals: 2, clock: { now: () => afterMs } })).toBe(plain)
})

const keyOf = (step: HistoryStep) => ({ series: 'reliance', source: 'kite', step }) as const

function checking(clock: { nowMs: number }, isRestored = false) {
  const source = broker(clock, exMs, isRestored)
  const store = listStore()
  const checks = memoryChecks()
  const run = () =>
    checkAdjustment({
      ...source,
      series: 'reliance',
      symbol: 'NSE:RELIANCE',
      store,
      checks,
      clock: { now: source.now },
      signal: new AbortController().signal,
    })
  return { ...source, store, run }
}

test('rows that were stored adjusted are replaced, each once, and the others are unchanged', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.constantFrom('1D', '1h' as const),
      fc.boolean(),
      async (wrong, step, isRestored) => {
        const { store, run, raw, asked } = checking({ nowMs: afterMs }, isRestored)
        const truth =
          (await broker({ nowMs: afterMs }, Infinity).raw.history({ symbol: '', step, fromMs: dateMs('2024-09-20'), toMs: afterMs })) ?? []
        const stored = truth.map((candle, index) =>
          candle.timeMs < exMs && wrong[index % wrong.length] === true ? halved(candle) : candle,
        )
        await store.append(keyOf(step), stored)
        const count = stored.filter((candle, index) => candle !== truth[index]).length
        expect(await run()).toBe(count)
        const after = await store.range(keyOf(step), { fromMs: 0, toMs: Infinity })
        expectTraded(after)
        after.forEach((candle, index) => {
          if (stored[index] === truth[index]) expect(candle).toBe(stored[index])
        })
        const calls = asked.length
        expect(await run()).toBe(0)
        expect(asked.length).toBe(calls)
        expect(raw.source).toBe('kite')
      },
    ),
    { numRuns: 40 },
  )
})

test('an ex-date is compared once the source has both sides of it', async () => {
  const clock = { nowMs: exMs + 5 * hourMs }
  const { store, run, asked } = checking(clock)
  await store.append(keyOf('1D'), [halved(traded(dateMs('2024-10-25')))])
  expect(await run()).toBe(0)
  expect(asked).toEqual([])
  clock.nowMs = exMs + 30 * hourMs
  expect(await run()).toBe(1)
})

test('a comparison that the source interrupts is repeated', async () => {
  const { store, run, state } = checking({ nowMs: afterMs })
  await store.append(keyOf('1D'), [halved(traded(dateMs('2024-10-25')))])
  state.isDown = true
  await expect(run()).rejects.toThrow('gone')
  state.isDown = false
  expect(await run()).toBe(1)
})
