// History requests that keep stored history complete: older candles next to stored ones, whole sessions, and gaps.
import { beforeEach, expect, test } from 'vitest'
import { listStore, minutesBetween, type ListStore } from '#server/testing/candles.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { timeframeOfStep, type Feed, type HistoryRequest, type HistoryStep } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { HistoryFiller } from './history-filler.ts'

const nowMs = Date.parse('2026-11-20T06:10Z')
const firstMs = Date.parse('2026-09-20T21:00Z')
const steps = ['1m', '1h', '1D'] as const
const keyOf = (step: HistoryStep) => ({ series: 'x', source: 'binance', step }) as const

let asked: HistoryRequest[]
let store: ListStore
beforeEach(() => {
  asked = []
  store = listStore()
})

/** A filler on a source with everything since September except the lost spans. */
function world(sessionClass: SessionClass, lost: readonly TimeSpan[] = [], sinceMs = firstMs) {
  const minutes = minutesBetween(sinceMs, nowMs).filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
  const truth = new Map(steps.map((step) => [step as HistoryStep, resample(minutes, sessionClass, timeframeOfStep[step])]))
  const isLost = (ms: number): boolean => lost.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)
  const feed: Feed = {
    source: 'binance',
    steps,
    live: 'minutes',
    history(request) {
      asked.push(request)
      const { step, fromMs, toMs } = request
      return Promise.resolve((truth.get(step) ?? []).filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs && !isLost(timeMs)))
    },
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
  const label = { mode: 'live', source: 'A source', delayMinutes: 0, proxy: null } as const
  const filler = new HistoryFiller({
    series: 'x',
    candidate: { feed, symbol: 'X', label, sessionClass },
    store,
    rejectedRows: memoryRejectedRows(() => nowMs),
    writer: { write: (key, candles, covered) => store.append(key, candles, covered) },
    clock: manualClock(nowMs),
    signal: new AbortController().signal,
  })
  return { filler, truth }
}

const minutesAt = (fromMs: number, toMs: number) => store.append(keyOf('1m'), minutesBetween(fromMs, toMs), [{ fromMs, toMs }])
const spansOf = async (step: HistoryStep) => (await store.coverage(keyOf(step)))[step] ?? []

test('older minutes follow the stored ones, and a gap on the way is filled first', async () => {
  const { filler } = world('crypto')
  await minutesAt(nowMs - 9 * dayMs, nowMs - 8 * dayMs)
  await minutesAt(nowMs - dayMs, nowMs)
  await filler.extend('1', nowMs - 9 * dayMs)
  expect(asked[0]).toMatchObject({ step: '1m', toMs: nowMs - dayMs })
  const [span, ...others] = await spansOf('1m')
  expect(others).toEqual([])
  expect(span?.fromMs).toBeLessThan(nowMs - 9 * dayMs)
})

test.each<readonly [readonly Timeframe[]]>([
  [['1', '60', '1', '1D', '1', '240', '1']],
  [['1D', '1W', '60', '1', '60', '1', '1M', '1', '15']],
  [['60', '1', '30', '240', '1', '1']],
])('paging through several timeframes leaves no gap and no wrong candle: %s', async (timeframes) => {
  const { filler, truth } = world('crypto')
  await minutesAt(nowMs - dayMs, nowMs)
  for (const timeframe of timeframes) {
    const earliest = (await Promise.all(steps.map(spansOf))).flatMap((spans) => spans[0]?.fromMs ?? [])
    await filler.extend(timeframe, Math.min(nowMs, ...earliest))
  }
  for (const step of steps) {
    const spans = await spansOf(step)
    expect({ step, holes: spans.slice(1) }).toEqual({ step, holes: [] })
    const [{ fromMs, toMs } = { fromMs: 0, toMs: 0 }] = spans
    const expected = (truth.get(step) ?? []).filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    expect(await store.range(keyOf(step), { fromMs, toMs })).toEqual(expected)
  }
})

test.each<readonly [SessionClass, HistoryStep, from: string]>([
  // 365 days back is in November 2025, five years back in November 2021.
  ['crypto', '1h', '2025-11-01T00:00Z'],
  ['crypto', '1D', '2021-11-01T00:00Z'],
  ['crypto', '1m', '2026-11-15T00:00Z'],
  ['fx', '1h', '2025-11-02T22:00Z'],
  ['nse-index', '1h', '2025-11-03T03:45Z'],
])('the first candles of %s in steps of %s start with a session or month', async (sessionClass, step, from) => {
  const { filler } = world(sessionClass)
  await filler.refresh(step)
  expect(new Date(asked[0]?.fromMs ?? 0).toISOString().replace(':00.000', '')).toBe(from)
})

test('an old gap is requested once and filled with what the source has; the rest is marked covered', async () => {
  const hole = { fromMs: nowMs - 3 * dayMs, toMs: nowMs - 3 * dayMs + 5 * hourMs }
  const lost = { fromMs: hole.fromMs + hourMs, toMs: hole.fromMs + hourMs + 7 * minuteMs }
  const { filler, truth } = world('crypto', [lost])
  await minutesAt(nowMs - 5 * dayMs, hole.fromMs)
  await minutesAt(hole.toMs, nowMs)
  expect(await filler.repair()).toBe(true)
  expect(await spansOf('1m')).toEqual([{ fromMs: nowMs - 5 * dayMs, toMs: nowMs }])
  const stored = await store.range(keyOf('1m'), hole)
  expect(stored).toEqual(
    truth.get('1m')?.filter(({ timeMs }) => timeMs >= hole.fromMs && timeMs < hole.toMs && !(timeMs >= lost.fromMs && timeMs < lost.toMs)),
  )
  expect(await filler.repair()).toBe(false)
  expect(asked).toHaveLength(1)
})

test('a night without trading is no gap', async () => {
  const { filler } = world('nse-index')
  await store.append(keyOf('1m'), [], [{ fromMs: Date.parse('2026-11-18T03:45Z'), toMs: Date.parse('2026-11-18T10:05Z') }])
  await store.append(keyOf('1m'), [], [{ fromMs: Date.parse('2026-11-19T03:45Z'), toMs: Date.parse('2026-11-19T10:05Z') }])
  expect(await filler.repair()).toBe(false)
  expect(asked).toEqual([])
})

test('before the very first candle of a source nothing counts as covered', async () => {
  const { filler } = world('crypto')
  await store.append(keyOf('1h'), [], [{ fromMs: firstMs + 3 * dayMs, toMs: nowMs }])
  expect(await filler.extend('60', firstMs)).toBe(true)
  expect(await spansOf('1h')).toEqual([{ fromMs: firstMs, toMs: nowMs }])
})

test('a suspension of 110 days does not hide the minutes before it', async () => {
  const suspended = { fromMs: nowMs - 130 * dayMs, toMs: nowMs - 20 * dayMs }
  const firstOfAllMs = nowMs - 140 * dayMs
  const { filler, truth } = world('nse-equity', [suspended], firstOfAllMs)
  await filler.refresh('1D')
  await filler.refresh('1h')
  await filler.refresh('1m')
  for (let page = 0; page < 20; page += 1) await filler.extend('1', firstOfAllMs)
  const expected = (truth.get('1m') ?? []).filter(({ timeMs }) => timeMs < suspended.fromMs || timeMs >= suspended.toMs)
  const { timeMs: firstMinuteMs = 0 } = expected[0] ?? {}
  expect((await spansOf('1m'))[0]?.fromMs).toBe(firstMinuteMs)
  expect(await store.range(keyOf('1m'), { fromMs: 0, toMs: nowMs })).toHaveLength(expected.length)
})
