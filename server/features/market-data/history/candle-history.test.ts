// History against a reference that resamples all minutes at once.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { listStore, minutesBetween, wholeCandlesOf } from '#server/testing/candles.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { bucketOf, isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { knownTimeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import { timeframeOfStep, type Feed, type HistoryStep } from '../feed.ts'
import { stampsOf, usableSteps, wholeCandles } from '../coverage.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory, type CandleQuery, type HistoryOptions } from './candle-history.ts'

/** A Friday within the hours of every class. */
const nowMs = Date.parse('2026-11-20T06:10:00Z')
const series = 'nifty'
const keyOf = (step: HistoryStep) => ({ series, source: 'kite', step }) as const

/** Minutes in which a class trades, with a gap of some hours. */
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

function world(options: Partial<Pick<HistoryOptions, 'extend' | 'demo' | 'delayMsOf'>> = {}) {
  const clock = { nowMs }
  const now = () => clock.nowMs
  const behind = listStore(now)
  const store = new CandleCache(behind, { now, monotonic: now })
  const extended: string[] = []
  const history = new CandleHistory({
    store,
    demo: noFeed,
    delayMsOf: () => 0,
    now,
    monotonic: now,
    ...options,
    extend: (series, step, beforeMs) => {
      extended.push(`${series} ${step} ${new Date(beforeMs).toISOString()}`)
      return options.extend?.(series, step, beforeMs) ?? Promise.resolve(false)
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

test('nothing newer than the licence delay is returned, not even inside a candle', async () => {
  const delayMs = 15 * minuteMs
  const { store, ask, clock } = world({ delayMsOf: () => delayMs })
  const minutes = tradedMinutes('nse-index', nowMs - 2 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  // The first ones started before the minutes do.
  await store.append(keyOf('1h'), resample(minutes, 'nse-index', '60').slice(1))
  await store.append(keyOf('1D'), resample(minutes, 'nse-index', '1D').slice(1))
  for (const laterMs of [0, 30_000, 7 * minuteMs]) {
    clock.nowMs = nowMs + laterMs
    const known = { sessionClass: 'nse-index', covered: [{ fromMs: minutes[0]?.timeMs ?? 0, toMs: Infinity }], nowMs } as const
    const allowed = minutes.filter(({ timeMs }) => timeMs + minuteMs <= clock.nowMs - delayMs)
    for (const timeframe of knownTimeframes) {
      const { candles } = await ask({ timeframe })
      expect({ timeframe, candles }).toEqual({ timeframe, candles: wholeCandlesOf(allowed, { ...known, timeframe }) })
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

const classes = ['nse-index', 'nse-equity', 'fx', 'metals', 'crypto', 'cme'] as const
const part = fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000 }))
const stored = fc.oneof(fc.constant([[0, 1_000]] as [number, number][]), fc.array(part, { maxLength: 3 }))
const shape = fc.record({
  sessionClass: fc.constantFrom(...classes),
  timeframe: fc.constantFrom(...knownTimeframes),
  days: fc.integer({ min: 1, max: 12 }),
  /** Stored parts of each step, in thousandths of the time. */
  parts: fc.record({ '1m': stored, '5m': stored, '30m': stored, '1h': stored, '4h': stored, '1D': stored }),
  limit: fc.constantFrom(1, 2, 7, 300, 5_000),
  backMs: fc.constantFrom(-2 * dayMs, 0, 1, 90 * minuteMs, 26 * hourMs, 5 * dayMs),
})

/** Stores a source's candles of a step for a part of the time; returns the time that is fully covered. */
async function storePart(
  store: CandleStore,
  minutes: readonly Candle[],
  wanted: TimeSpan & { step: HistoryStep; sessionClass: SessionClass },
) {
  const { step, sessionClass } = wanted
  const [time] = wholeCandles(step, sessionClass, [wanted])
  if (time === undefined) return undefined
  const span = stampsOf(step, sessionClass, time)
  // Days are covered by their dates, so time without a session covers none.
  if (span.fromMs >= span.toMs) return undefined
  const candles = resample(minutes, sessionClass, timeframeOfStep[step]).filter(({ timeMs }) => timeMs >= span.fromMs && timeMs < span.toMs)
  await store.append(keyOf(step), candles, [span])
  return time
}

test('pages equal the reference for every class and timeframe, whatever is stored, and no candle is truncated', async () => {
  await assertProperty(
    fc.asyncProperty(shape, async ({ sessionClass, timeframe, days, parts, limit, backMs }) => {
      const { store, ask } = world()
      const startMs = nowMs - days * dayMs
      const minutes = tradedMinutes(sessionClass, startMs, nowMs)
      const covered: TimeSpan[] = []
      for (const step of ['1m', '5m', '30m', '1h', '4h', '1D'] as const)
        for (const [one, other] of parts[step]) {
          const [fromMs, toMs] = [one, other].toSorted((a, b) => a - b).map((share) => startMs + ((nowMs - startMs) * share) / 1_000) as [
            number,
            number,
          ]
          const time = await storePart(store, minutes, { fromMs, toMs, step, sessionClass })
          if (time !== undefined && usableSteps(timeframe, sessionClass).includes(step)) covered.push(time)
        }
      const toMs = nowMs - backMs
      const expected = wholeCandlesOf(minutes, { sessionClass, timeframe, covered, nowMs }).filter(({ timeMs }) => timeMs < toMs)
      const page = await ask({ sessionClass, timeframe, limit, toMs })
      expect(page.candles).toEqual(expected.slice(-limit))
      expect(page.hasOlder).toBe(expected.length > limit)
      expect(page.startsAtMs).toBe(expected.length > limit ? null : (expected[0]?.timeMs ?? null))
      expect(JSON.parse(`[${Buffer.concat(page.rows.pieces).toString()}]`)).toEqual(page.candles.map(toRow))
      expect(page.rows.hasOlder).toBe(page.hasOlder)
    }),
    { numRuns: 150 },
  )
})

test('a day of currencies or metals is a session of New York, and the UTC days of a source are not used', async () => {
  for (const sessionClass of ['fx', 'metals'] as const) {
    const { store, ask } = world()
    const minutes = minutesBetween(nowMs - 12 * dayMs, nowMs)
    await store.append(keyOf('1h'), resample(minutes, 'crypto', '60').slice(1, -1))
    await store.append(keyOf('1m'), minutes.slice(-600))
    await store.append(keyOf('1D'), resample(minutes, 'crypto', '1D').slice(1, -1))
    const covered = [{ fromMs: nowMs - 12 * dayMs + 50 * minuteMs, toMs: nowMs }]
    for (const timeframe of ['1D', '1W', '1M'] as const) {
      const { candles } = await ask({ sessionClass, timeframe })
      expect(candles).toEqual(wholeCandlesOf(minutes, { sessionClass, timeframe, covered, nowMs }))
    }
    const days = (await ask({ sessionClass, timeframe: '1D' })).candles
    expect(days.length).toBeGreaterThan(5)
    expect(days.filter(({ timeMs }) => [0, 6].includes(new Date(timeMs).getUTCDay()))).toEqual([])
    const hours = (await ask({ sessionClass, timeframe: '60' })).candles.filter(
      ({ timeMs }) => bucketOf(sessionClass, '1D', timeMs)?.timeMs === days[1]?.timeMs,
    )
    expect(days[1]).toMatchObject({
      open: hours[0]?.open,
      close: hours.at(-1)?.close,
      volume: hours.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
    })
  }
})

test('a trading break on a Globex holiday leaves out the candles of its trade date', async () => {
  for (const sessionClass of ['cme', 'comex'] as const) {
    const { clock, store, ask } = world()
    clock.nowMs = Date.parse('2026-07-07T21:30Z')
    const [gapFromMs, gapToMs] = [Date.parse('2026-07-03T10:00Z'), Date.parse('2026-07-03T14:00Z')]
    const minutes = minutesBetween(Date.parse('2026-06-21'), clock.nowMs).filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
    const covered = [
      { fromMs: Date.parse('2026-06-21'), toMs: gapFromMs },
      { fromMs: gapToMs, toMs: clock.nowMs },
    ]
    for (const { fromMs, toMs } of covered)
      await store.append(
        keyOf('1m'),
        minutes.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs),
        [{ fromMs, toMs }],
      )
    for (const timeframe of ['60', '1D', '1W', '1M'] as const) {
      const { candles } = await ask({ sessionClass, timeframe, toMs: clock.nowMs + dayMs })
      expect(candles).toEqual(wholeCandlesOf(minutes, { sessionClass, timeframe, covered, nowMs: clock.nowMs }))
    }
    const stamps = (await ask({ sessionClass, timeframe: '1D', toMs: clock.nowMs + dayMs })).candles.map(({ timeMs }) => timeMs)
    expect(stamps).toContain(Date.parse('2026-07-02'))
    expect(stamps).not.toContain(Date.parse('2026-07-06'))
    expect(stamps).toContain(Date.parse('2026-07-07'))
  }
})

test('paging backwards returns every candle once', async () => {
  const { store, ask } = world()
  const minutes = tradedMinutes('nse-index', nowMs - 20 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  const seen: Candle[] = []
  for (let toMs = nowMs, hasOlder = true; hasOlder; toMs = seen[0]?.timeMs ?? 0) {
    const page = await ask({ timeframe: '5', limit: 97, toMs })
    seen.unshift(...page.candles)
    hasOlder = page.hasOlder
  }
  const covered = [{ fromMs: minutes[0]?.timeMs ?? 0, toMs: nowMs }]
  expect(seen).toEqual(wholeCandlesOf(minutes, { sessionClass: 'nse-index', timeframe: '5', covered, nowMs }))
})

test('years without a candle are skipped, not scanned', async () => {
  const { store, ask, behind } = world()
  const old = minutesBetween(Date.parse('2011-03-01T04:00:00Z'), Date.parse('2011-03-01T05:00:00Z'))
  await store.append(keyOf('1m'), old)
  expect((await ask({ timeframe: '1' })).candles).toEqual(old)
  expect(behind.reads()).toBeLessThan(40)
})

test('a new minute and a correction are visible immediately, in every timeframe', async () => {
  const { store, ask } = world()
  const minutes = tradedMinutes('nse-index', nowMs - 2 * dayMs, nowMs)
  await store.append(keyOf('1m'), minutes.slice(0, -1))
  for (const timeframe of knownTimeframes) await ask({ timeframe })
  const corrected = minutes.map((minute, index) => (index === 30 ? { ...minute, high: 999 } : minute))
  await store.append(keyOf('1m'), [corrected[30] as Candle, corrected.at(-1) as Candle])
  const known = { sessionClass: 'nse-index', covered: [{ fromMs: minutes[0]?.timeMs ?? 0, toMs: Infinity }], nowMs } as const
  for (const timeframe of knownTimeframes) {
    const { candles } = await ask({ timeframe })
    expect({ timeframe, candles }).toEqual({ timeframe, candles: wholeCandlesOf(corrected, { ...known, timeframe }) })
  }
})

test('at the end of the store one backfill is requested, and its result is in the same response', async () => {
  const older = tradedMinutes('nse-index', nowMs - 3 * dayMs, nowMs - dayMs)
  const minutes = tradedMinutes('nse-index', nowMs - dayMs, nowMs)
  let isFirst = true
  const { store, behind, ask, extended, clock } = world({
    extend: async () => {
      // As another process would: bypassing this one's cache.
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
  expect(extended[0]).toBe(`nifty 1 ${new Date(minutes[0]?.timeMs ?? 0).toISOString()}`)
  // The source has nothing older, which is cached for a while.
  expect((await ask({ timeframe: '1' })).hasOlder).toBe(false)
  const count = extended.length
  await ask({ timeframe: '1' })
  expect(extended).toHaveLength(count)
  clock.nowMs += 6 * minuteMs
  await ask({ timeframe: '1' })
  expect(extended).toHaveLength(count + 1)
})

test('if the newest candles may not be shown yet, old enough ones are requested', async () => {
  const { store, ask, extended } = world({ delayMsOf: () => 30 * dayMs })
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - dayMs, nowMs))
  expect(await ask({ timeframe: '1' })).toMatchObject({ candles: [], hasOlder: false })
  expect(extended).toEqual([`nifty 1 ${new Date(nowMs - 30 * dayMs).toISOString()}`])
})

test('a failed backfill does not fail the page', async () => {
  const { store, ask } = world({ extend: () => Promise.reject(new Error('the hub is away')) })
  const minutes = tradedMinutes('nse-index', nowMs - dayMs, nowMs)
  await store.append(keyOf('1m'), minutes)
  expect(await ask({ timeframe: '1' })).toMatchObject({ candles: minutes, hasOlder: false })
})

test('a store that fails once is read again', async () => {
  const { store, history } = world()
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - dayMs, nowMs))
  const query: CandleQuery = { series, source: 'kite', sessionClass: 'nse-index', timeframe: '5', toMs: nowMs, limit: 10 }
  Object.assign(store, { range: () => Promise.reject(new Error('gone')) })
  await expect(history.candles(query)).rejects.toThrow('gone')
  Reflect.deleteProperty(store, 'range')
  expect((await history.candles(query)).candles).toHaveLength(10)
})

test('a repeated page reads nothing', async () => {
  const { store, ask, behind } = world()
  await store.append(keyOf('1m'), tradedMinutes('nse-index', nowMs - 8 * dayMs, nowMs))
  await ask({ timeframe: '15', limit: 50 })
  const reads = behind.reads()
  await ask({ timeframe: '15', limit: 60 })
  expect(behind.reads()).toBe(reads)
})

test('candles are adjusted on read: each part by its own session, larger candles from adjusted parts', async () => {
  const { store, ask, clock } = world()
  const reliance = { series: 'reliance', sessionClass: 'nse-equity' } as const
  clock.nowMs = Date.parse('2024-11-04T12:00:00Z')
  // 1:1 bonus on Monday 28 October 2024: 2,655.70 became 1,327.85.
  const price = (timeMs: number): number => (timeMs < Date.parse('2024-10-28') ? 2_655.7 : 1_327.85)
  const minutes = minutesBetween(Date.parse('2024-10-21T00:00:00Z'), Date.parse('2024-11-01T12:00:00Z'))
    .filter(({ timeMs }) => isTradingMinute('nse-equity', timeMs))
    .map(({ timeMs }) => ({
      timeMs,
      open: price(timeMs),
      high: price(timeMs),
      low: price(timeMs),
      close: price(timeMs),
      volume: 10,
      takerBuyVolume: 4,
    }))
  // No trades earlier in the month.
  const covered = { fromMs: Date.parse('2024-10-01'), toMs: Date.parse('2024-11-01T12:00:00Z') }
  await store.append({ series: 'reliance', source: 'kite', step: '1m' }, minutes, [covered])
  await store.append({ series: 'reliance', source: 'kite', step: '1D' }, resample(minutes, 'nse-equity', '1D'))
  for (const timeframe of knownTimeframes) {
    const stored = await ask({ ...reliance, timeframe })
    const adjusted = await ask({ ...reliance, timeframe, adjustment: 'splits' })
    expect(stored.candles[0]?.open).toBe(2_655.7)
    expect(new Set(adjusted.candles.flatMap(({ open, high, low, close }) => [open, high, low, close]))).toEqual(new Set([1_327.85]))
    expect(adjusted.candles.map(({ timeMs }) => timeMs)).toEqual(stored.candles.map(({ timeMs }) => timeMs))
    expect(JSON.parse(`[${Buffer.concat(adjusted.rows.pieces).toString()}]`)).toEqual(adjusted.candles.map(toRow))
  }
  const before = minutes.filter(({ timeMs }) => timeMs < Date.parse('2024-10-28')).length
  const [month] = (await ask({ ...reliance, timeframe: '1M', adjustment: 'splits' })).candles
  const rest = minutes.filter(({ timeMs }) => timeMs < Date.parse('2024-11-01')).length - before
  expect(month).toMatchObject({ volume: before * 20 + rest * 10, takerBuyVolume: before * 8 + rest * 4 })
})

test('candles cached before an ex-date are rebuilt on it', async () => {
  const { store, ask, clock } = world()
  const query = { series: 'reliance', sessionClass: 'nse-equity', timeframe: '1D', adjustment: 'splits' } as const
  const day = {
    timeMs: Date.parse('2024-10-25T00:00:00Z'),
    open: 2_600,
    high: 2_700,
    low: 2_600,
    close: 2_655.7,
    volume: 8,
    takerBuyVolume: null,
  }
  await store.append({ series: 'reliance', source: 'kite', step: '1D' }, [day])
  clock.nowMs = Date.parse('2024-10-27T12:00:00Z')
  expect((await ask(query)).candles).toEqual([day])
  clock.nowMs = Date.parse('2024-10-28T03:46:00Z')
  expect((await ask(query)).candles).toMatchObject([{ close: 1_327.85, volume: 16 }])
})

test('generated prices have no corporate actions', async () => {
  const [fromMs, toMs] = [Date.parse('2024-10-20T00:00:00Z'), Date.parse('2024-10-30T00:00:00Z')]
  const days = resample(minutesBetween(fromMs, toMs), 'crypto', '1D')
  const demo: Feed = { ...noFeed, history: ({ step }) => Promise.resolve(step === '1D' ? days : []) }
  const { ask, clock } = world({ demo })
  clock.nowMs = toMs
  const query = { series: 'reliance', source: 'demo', sessionClass: 'crypto', timeframe: '1D' } as const
  expect(await ask({ ...query, adjustment: 'all' })).toEqual(await ask(query))
})
