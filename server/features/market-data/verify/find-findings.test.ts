// The checks of stored candles, each as a table of what they must report and what they must not.
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { findCliffs, findContradictions } from './find-findings.ts'

const day = (date: string, price: number, close = price): Candle => ({
  timeMs: Date.parse(date),
  open: price,
  high: Math.max(price, close),
  low: Math.min(price, close),
  close,
  volume: 1,
  takerBuyVolume: null,
})

test.each([
  // A bonus of 28 October 2024, unadjusted, and as adjusted by a source.
  ['reliance', [day('2024-10-25', 2_655), day('2024-10-28', 1_327)], []],
  ['reliance', [day('2024-10-25', 1_327), day('2024-10-28', 1_334)], [['adjusted-rows', '2024-10-25']]],
  // A demerger of less than a tenth.
  ['reliance', [day('2023-07-19', 2_841), day('2023-07-20', 2_580)], []],
  ['reliance', [day('2023-07-19', 2_580), day('2023-07-20', 2_580)], [['adjusted-rows', '2023-07-19']]],
  // Bonus and split on one day.
  ['bajaj-finance', [day('2025-06-13', 9_331), day('2025-06-16', 945)], []],
  ['bajaj-finance', [day('2025-06-13', 9_331), day('2025-06-16', 4_700)], [['adjusted-rows', '2025-06-13']]],
  // Not in the table.
  ['havells', [day('2024-05-02', 1_600), day('2024-05-03', 800), day('2024-05-06', 810)], [['unexplained-jump', '2024-05-02']]],
  // Rows of both kinds before the ex-date.
  [
    'tata-steel',
    [day('2022-07-25', 950), day('2022-07-26', 95), day('2022-07-27', 960), day('2022-07-28', 97)],
    [
      ['unexplained-jump', '2022-07-25'],
      ['unexplained-jump', '2022-07-26'],
    ],
  ],
  // An ordinary bad day, and a day and a jump with months between.
  ['havells', [day('2024-05-02', 1_600), day('2024-05-03', 1_330)], []],
  ['havells', [day('2024-05-02', 1_600), day('2024-09-03', 800)], []],
  // Within one session nothing is compared.
  ['havells', [day('2024-05-02T04:00:00Z', 1_600), day('2024-05-02T04:01:00Z', 800)], []],
] as const)('cliffs of %s: %j', (series, candles, expected) => {
  expect(findCliffs(series, candles).map(({ kind, fromMs }) => [kind, new Date(fromMs).toISOString().slice(0, 10)])).toEqual(expected)
})

const startMs = Date.parse('2026-11-16T00:00:00Z')
const covered = [{ fromMs: startMs, toMs: startMs + 3 * dayMs }]
const tradedMinutes = (sessionClass: SessionClass) =>
  minutesBetween(startMs, startMs + 3 * dayMs).filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))

test.each(['crypto', 'nse-equity', 'fx', 'comex'] as const)('candles that match their minutes are not reported: %s', (sessionClass) => {
  const small = tradedMinutes(sessionClass)
  for (const timeframe of ['60', '1D'] as const) {
    const large = resample(small, sessionClass, timeframe)
    expect(findContradictions({ sessionClass, timeframe, large, small, covered })).toEqual([])
  }
})

test.each<[string, (candle: Candle) => Candle]>([
  ['open', (candle) => ({ ...candle, open: candle.open * 1.01 })],
  ['high', (candle) => ({ ...candle, high: candle.high * 1.01 })],
  ['low', (candle) => ({ ...candle, low: candle.low * 0.99 })],
  ['close', (candle) => ({ ...candle, close: candle.close * 0.99 })],
  ['volume', (candle) => ({ ...candle, volume: (candle.volume ?? 0) + 1 })],
])('an hour with another %s than its minutes is reported', (_name, change) => {
  const small = tradedMinutes('crypto')
  const large = resample(small, 'crypto', '60').map((candle, index) => (index === 7 ? change(candle) : candle))
  const found = findContradictions({ sessionClass: 'crypto', timeframe: '60', large, small, covered })
  expect(found.map(({ timeMs }) => timeMs)).toEqual([startMs + 7 * hourMs])
})

test('an hour with missing minutes is reported only if those are marked complete', () => {
  const all = tradedMinutes('crypto')
  const large = resample(all, 'crypto', '60')
  const small = all.filter(({ timeMs }) => timeMs < startMs + 5 * hourMs || timeMs >= startMs + 6 * hourMs + 20 * minuteMs)
  const found = (spans: typeof covered) =>
    findContradictions({ sessionClass: 'crypto', timeframe: '60', large, small, covered: spans }).map(
      ({ timeMs }) => (timeMs - startMs) / hourMs,
    )
  expect(found(covered)).toEqual([5, 6])
  expect(
    found([
      { fromMs: startMs, toMs: startMs + 5 * hourMs },
      { fromMs: startMs + 6 * hourMs + 20 * minuteMs, toMs: startMs + 3 * dayMs },
    ]),
  ).toEqual([])
})

test('an official close may differ from all minutes, but not the range of the day', () => {
  const small = tradedMinutes('nse-equity')
  const [first] = resample(small, 'nse-equity', '1D')
  if (first === undefined) throw new Error('no day')
  const found = (large: Candle) =>
    findContradictions({ sessionClass: 'nse-equity', timeframe: '1D', large: [large], small, covered }).length
  expect(found({ ...first, close: first.close * 1.004, open: first.open * 1.004, volume: 9e9 })).toBe(0)
  expect(found({ ...first, high: first.high * 0.98 })).toBe(1)
  expect(found({ ...first, low: first.low * 1.02 })).toBe(1)
})
