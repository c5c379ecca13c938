// The sample market looks realistic and is deterministic.
import { expect, test } from 'vitest'
import { candlesIn, toChartPaths, levelsOf } from './chart-paths.ts'
import { demoCountdown } from './demo-countdown.ts'
import { demoCandles, demoMarkets, demoTimeframes } from './demo-markets.ts'
import { exponentialAverage, generateCandles } from './generate-candles.ts'

const everyDemo = demoMarkets.flatMap((market) => demoTimeframes.map(({ label, minutes }) => ({ market, label, minutes })))

test('the same seed gives the same candles, another seed different ones', () => {
  const options = { seed: 7, count: 50, end: 100, move: 0.002 }
  expect(generateCandles(options)).toEqual(generateCandles(options))
  expect(generateCandles(options)).not.toEqual(generateCandles({ ...options, seed: 8 }))
})

test.each(everyDemo)('candles of $market.label $label are valid and end at the displayed price', ({ market, minutes }) => {
  const candles = demoCandles(market, minutes)
  expect(candles.at(-1)?.close).toBeCloseTo(market.end, 6)
  for (const { open, high, low, close, volume } of candles) {
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThanOrEqual(Math.min(open, close))
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
    expect(volume).toBeGreaterThan(0)
    expect(volume).toBeLessThanOrEqual(1)
  }
  const gaps = candles.slice(1).map(({ open }, index) => Math.abs(open - (candles[index]?.close ?? 0)))
  expect(Math.max(...gaps)).toBeLessThan(1e-6)
})

test.each([
  [0.0012, 0.0043],
  [66_412, 67_980],
  [1, 1.0001],
])('between %d and %d there are four to thirteen round prices inside the bounds', (low, high) => {
  const levels = levelsOf(low, high)
  expect(levels.length).toBeGreaterThanOrEqual(4)
  expect(levels.length).toBeLessThanOrEqual(13)
  expect(Math.min(...levels)).toBeGreaterThanOrEqual(low)
  expect(Math.max(...levels)).toBeLessThanOrEqual(high)
})

test('everything is drawn inside the area', () => {
  const candles = generateCandles({ seed: 3, count: candlesIn(390), end: 100, move: 0.01 })
  const area = { width: 390, height: 300 }
  const { yOf, xOf } = toChartPaths(candles, exponentialAverage(candles, 21), area)
  for (const [index, { high, low }] of candles.entries()) {
    expect(yOf(high)).toBeGreaterThanOrEqual(0)
    expect(yOf(low)).toBeLessThanOrEqual(area.height)
    expect(xOf(index)).toBeLessThan(area.width)
  }
})

test('a zero width and a market without candles render nothing without an error', () => {
  expect(candlesIn(0)).toBe(0)
  expect(toChartPaths([], [], { width: 0, height: 0 })).toMatchObject({ upBodies: '', average: '', levels: [] })
})

test.each([
  [1, '10:00:00', '01:00'],
  [5, '10:04:59', '00:01'],
  [5, '10:05:00', '05:00'],
  [15, '10:07:30', '07:30'],
  [60, '10:59:59', '00:01'],
  [60, '10:00:00', '60:00'],
])('a candle of %d minutes at %s has %s left', (minutes, time, text) => {
  expect(demoCountdown(minutes, new Date(`2026-11-21T${time}`))).toBe(text)
})
