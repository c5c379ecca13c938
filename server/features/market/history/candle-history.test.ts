// The history against a plain reference: all minutes resampled at once, then cut.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { resample, stepOf } from '#shared/market/candles/resample.ts'
import { isTradingMinute } from '#shared/market/sessions/bucket.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { knownTimeframes, type Timeframe } from '#shared/market/timeframe.ts'
import type { Feed, HistoryStep } from '../feed.ts'
import { memoryCandles } from '../store/memory-candles.ts'
import { candleHistory, type CandleQuery, type HistoryNeeds } from './candle-history.ts'

/** A Friday within the hours of every class. */
const nowMs = Date.parse('2026-11-20T06:10:00Z')
const series = 'nifty'
const keyOf = (step: HistoryStep) => ({ series, source: 'kite', step }) as const

/** Minutes in which a class trades, with a hole of some hours. */
function tradedMinutes(sessionClass: SessionClass, fromMs: number, toMs: number): Candle[] {
  const isHole = (ms: number): boolean => ms > fromMs + 3 * dayMs && ms < fromMs + 3 * dayMs + 7 * hourMs
  return minutesBetween(fromMs, toMs).filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs) && !isHole(timeMs))
}

const noFeed: Feed = {
  source: 'demo',
  steps: ['1m', '1h', '1D'],
  live: 'none',
  history: () => Promise.reject(new Error('the demo was asked')),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
}

function world(needs: Partial<Pick<HistoryNeeds, 'extend' | 'demo' | 'policyOf'>> = {}) {
  const clock = { nowMs }
  const now = () => clock.nowMs
  const behind = listStore(now)
  const store = memoryCandles(behind, { now })
  const extended: string[] = []
  const history = candleHistory({
    store,
    demo: noFeed,
    policyOf: () => ({ holdBackMs: 0 }),
    now,
    ...needs,
    extend: (series, step, beforeMs) => {
      extended.push(`${series} ${step} ${new Date(beforeMs).toISOString()}`)
      return needs.extend?.(series, step, beforeMs) ?? Promise.resolve(false)
    },
  })
  const ask = (query: Partial<CandleQuery> & { timeframe: Timeframe }) => {
    const whole: CandleQuery = { series, source: 'kite', sessionClass: 'nse-index', toMs: nowMs + dayMs, limit: 5_000, ...query }
    return Promise.all([history.candles(whole), history.rows(whole)]).then(([page, rows]) => ({ ...page, rows }))
  }
  return { clock, store, behind, history, extended, ask }
}

const toRow = ({ timeMs, open, high, low, close, volume, takerBuyVolume }: Candle) => [
  timeMs,
  open,
  high,
  low,
  close,
  volume,
  takerBuyVolume,
]

test('nothing that was not over before the licence lets go leaves, not even inside a candle', async () => {
  const holdBackMs = 15 * minuteMs
  const { store, ask, clock } = world({ policyOf: () => ({ holdBackMs }) })
  const minutes = tradedMinutes('nse-index', nowMs - 2 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  await store.append(keyOf('1h'), resample(minutes, 'nse-index', '60'))
  await store.append(keyOf('1D'), resample(minutes, 'nse-index', '1D'))
  for (const laterMs of [0, 30_000, 7 * minuteMs]) {
    clock.nowMs = nowMs + laterMs
    const allowed = minutes.filter(({ timeMs }) => timeMs + minuteMs <= clock.nowMs - holdBackMs)
    for (const timeframe of knownTimeframes) {
      const { candles } = await ask({ timeframe })
      expect({ timeframe, candles }).toEqual({ timeframe, candles: resample(allowed, 'nse-index', timeframe) })
    }
  }
})

test('the demo is never stored, and a real source never shows it', async () => {
  const asked: string[] = []
  const demo: Feed = {
    ...noFeed,
    history: ({ symbol, step, fromMs, toMs }) => {
      asked.push(symbol)
      const minutes = minutesBetween(nowMs - 3 * dayMs, nowMs)
      const all = step === '1m' ? minutes : resample(minutes, 'crypto', step === '1h' ? '60' : '1D').slice(0, -1)
      return Promise.resolve(all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs))
    },
  }
  const { ask, behind, extended } = world({ demo })
  const minutes = minutesBetween(nowMs - 3 * dayMs, nowMs)
  for (const timeframe of knownTimeframes) {
    const { candles, hasOlder } = await ask({ timeframe, source: 'demo', sessionClass: 'crypto' })
    expect({ timeframe, candles }).toEqual({ timeframe, candles: resample(minutes, 'crypto', timeframe) })
    expect(hasOlder).toBe(false)
  }
  expect(new Set(asked)).toEqual(new Set([series]))
  expect(behind.reads()).toBe(0)
  expect(await behind.bounds({ series, source: 'demo', step: '1m' })).toBeUndefined()
  expect((await ask({ timeframe: '1' })).candles).toEqual([])
  expect(extended).toHaveLength(1)
})

const classes = ['nse-index', 'nse-equity', 'fx', 'crypto', 'cme'] as const
const shape = fc.record({
  sessionClass: fc.constantFrom(...classes),
  timeframe: fc.constantFrom(...knownTimeframes),
  days: fc.integer({ min: 1, max: 12 }),
  /** How many of the hours and days are stored besides the minutes, from the front. */
  largerShare: fc.constantFrom(0, 0.4, 0.9, 1),
  /** Old candles exist as hours or days only. */
  isWithoutOldMinutes: fc.boolean(),
  limit: fc.constantFrom(1, 2, 7, 300, 5_000),
  backMs: fc.constantFrom(-2 * dayMs, 0, 1, 90 * minuteMs, 26 * hourMs, 5 * dayMs),
})

test('pages equal the reference for every class and timeframe, wherever minutes, hours and days are stored', async () => {
  await assertProperty(
    fc.asyncProperty(shape, async ({ sessionClass, timeframe, days, largerShare, isWithoutOldMinutes, limit, backMs }) => {
      const { store, ask } = world()
      const minutes = tradedMinutes(sessionClass, nowMs - days * dayMs, nowMs)
      const hours = resample(minutes, sessionClass, '60')
      const whole = resample(minutes, sessionClass, '1D')
      // A larger candle is stored when it is over, so never the last one; without its minutes it must be stored.
      const keptHours = hours.slice(0, Math.max(0, Math.floor((hours.length - 1) * largerShare)))
      const keptDays = whole.slice(0, Math.max(0, Math.floor((whole.length - 1) * largerShare)))
      const step = stepOf(timeframe)
      const largerUntilMs = (step === '1m' ? [] : step === '1h' ? keptHours : keptDays).at(-1)?.timeMs ?? 0
      const keptMinutes = isWithoutOldMinutes ? minutes.filter(({ timeMs }) => timeMs >= largerUntilMs) : minutes
      await store.append(keyOf('1m'), keptMinutes)
      await store.append(keyOf('1h'), keptHours)
      await store.append(keyOf('1D'), keptDays)
      const toMs = nowMs - backMs
      const expected = resample(minutes, sessionClass, timeframe).filter(({ timeMs }) => timeMs < toMs)
      const page = await ask({ sessionClass, timeframe, limit, toMs })
      expect(page.candles).toEqual(expected.slice(-limit))
      expect(page.hasOlder).toBe(expected.length > limit)
      expect(JSON.parse(`[${Buffer.concat(page.rows.pieces).toString()}]`)).toEqual(page.candles.map(toRow))
      expect(page.rows.hasOlder).toBe(page.hasOlder)
    }),
    { numRuns: 150 },
  )
})

test('page by page backwards gives every candle once', async () => {
  const { store, ask } = world()
  const minutes = tradedMinutes('nse-index', nowMs - 20 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  const seen: Candle[] = []
  for (let toMs = nowMs, hasOlder = true; hasOlder; toMs = seen[0]?.timeMs ?? 0) {
    const page = await ask({ timeframe: '5', limit: 97, toMs })
    seen.unshift(...page.candles)
    hasOlder = page.hasOlder
  }
  expect(seen).toEqual(resample(minutes, 'nse-index', '5'))
})

test('years without a candle are skipped, not walked through', async () => {
  const { store, ask, behind } = world()
  const old = minutesBetween(Date.parse('2011-03-01T04:00:00Z'), Date.parse('2011-03-01T05:00:00Z'))
  await store.append(keyOf('1m'), old)
  expect((await ask({ timeframe: '1' })).candles).toEqual(old)
  expect(behind.reads()).toBeLessThan(40)
})

test('a new minute and a correction show at once, in every timeframe', async () => {
  const { store, ask } = world()
  const minutes = tradedMinutes('nse-index', nowMs - 2 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes.slice(0, -1))
  for (const timeframe of knownTimeframes) await ask({ timeframe })
  const corrected = minutes.map((minute, index) => (index === 30 ? { ...minute, high: 999 } : minute))
  await store.append(keyOf('1m'), [corrected[30] as Candle, corrected.at(-1) as Candle])
  for (const timeframe of knownTimeframes) {
    const { candles } = await ask({ timeframe })
    expect({ timeframe, candles }).toEqual({ timeframe, candles: resample(corrected, 'nse-index', timeframe) })
  }
})

test('where the store ends more is asked for once, and what came is in the same answer', async () => {
  const older = tradedMinutes('nse-index', nowMs - 3 * dayMs, nowMs - dayMs)
  const minutes = tradedMinutes('nse-index', nowMs - dayMs, nowMs)
  let isFirst = true
  const { store, behind, ask, extended, clock } = world({
    extend: async () => {
      // As another process would: past the memory of this one.
      if (isFirst) await behind.append(keyOf('1m'), older)
      const answer = isFirst
      isFirst = false
      return answer
    },
  })
  await store.append(keyOf('1m'), minutes)
  expect(await ask({ timeframe: '1', limit: 20 })).toMatchObject({ hasOlder: true })
  expect(extended).toEqual([])
  const page = await ask({ timeframe: '1' })
  expect(page.candles).toEqual([...older, ...minutes])
  expect(extended[0]).toBe(`nifty 1m ${new Date(minutes[0]?.timeMs ?? 0).toISOString()}`)
  // The source has nothing before that; it is believed for a while.
  expect((await ask({ timeframe: '1' })).hasOlder).toBe(false)
  const count = extended.length
  await ask({ timeframe: '1' })
  expect(extended).toHaveLength(count)
  clock.nowMs += 6 * minuteMs
  await ask({ timeframe: '1' })
  expect(extended).toHaveLength(count + 1)
})

test('where nothing may be shown yet, what is old enough is asked for', async () => {
  const { store, ask, extended } = world({ policyOf: () => ({ holdBackMs: 30 * dayMs }) })
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - dayMs, nowMs))
  expect(await ask({ timeframe: '1' })).toMatchObject({ candles: [], hasOlder: false })
  expect(extended).toEqual([`nifty 1m ${new Date(nowMs - 30 * dayMs).toISOString()}`])
})

test('a source that fails to give older candles does not fail the page', async () => {
  const { store, ask } = world({ extend: () => Promise.reject(new Error('the hub is away')) })
  const minutes = tradedMinutes('nse-index', nowMs - dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  expect(await ask({ timeframe: '1' })).toMatchObject({ candles: minutes, hasOlder: false })
})

test('a store that fails once is asked again', async () => {
  const { store, history } = world()
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - dayMs, nowMs))
  const query: CandleQuery = { series, source: 'kite', sessionClass: 'nse-index', timeframe: '5', toMs: nowMs, limit: 10 }
  const whole = { ...store }
  Object.assign(store, { range: () => Promise.reject(new Error('gone')) })
  await expect(history.candles(query)).rejects.toThrow('gone')
  Object.assign(store, whole)
  expect((await history.candles(query)).candles).toHaveLength(10)
})

test('the same page again reads nothing', async () => {
  const { store, ask, behind } = world()
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - 8 * dayMs, nowMs))
  await ask({ timeframe: '15', limit: 50 })
  const reads = behind.reads()
  await ask({ timeframe: '15', limit: 60 })
  expect(behind.reads()).toBe(reads)
})
