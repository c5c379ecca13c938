// Intrabar candles assigned to chart bars: none twice, none in a partly known bar, none too early.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { volumeDelta } from '#shared/indicators/studies/volume-delta.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { bucketOf } from '#shared/candles/bucketer.ts'
import { barStore } from '../bar-store.ts'
import { intrabarColumns } from './intrabar-columns.ts'

const minuteMs = 60_000
const startMs = Date.parse('2026-11-20T00:00Z')

/** A minute that rose or fell by its whole range. */
function minute(at: number, volume: number, isUp = true, taker: number | null = null): CandleRow {
  const [open, close] = isUp ? [10, 11] : [11, 10]
  return [startMs + at * minuteMs, open, 11, 10, close, volume, taker]
}

const five = (at: number, volume: number): CandleRow => [startMs + at * minuteMs, 10, 11, 10, 10.5, volume, null]
const stampOf = (ms: number) => bucketOf('crypto', '5', ms)?.timeMs ?? Number.NaN

function laid(bars: readonly CandleRow[], minutes: readonly CandleRow[]) {
  const [chart, parts] = [barStore(), barStore()]
  chart.reset(bars)
  parts.reset(minutes)
  const laid = intrabarColumns(parts.bars, stampOf)
  laid.take(0)
  laid.align(chart.bars, true)
  const context = {
    bars: chart.bars,
    intrabars: laid.columns,
    timeframe: '5',
    sessionClass: 'crypto',
    tickSize: 0.01,
    hasVolume: true,
  } as const
  const state = volumeDelta.create({}, context)
  state.full()
  const sourcesNow = () => [...(state.columns['provenance'] ?? [])].slice(0, chart.bars.length)
  const deltas = () => [...(state.columns['close'] ?? [])].slice(0, chart.bars.length)
  return { chart, parts, laid, state, sourcesNow, deltas }
}

const [aggressor, intrabar, shape] = [0, 1, 2]

describe('a bar', () => {
  test('that is partly known, and any before it, falls back to its own candle', () => {
    const { sourcesNow } = laid([five(0, 5), five(5, 5), five(10, 5)], [minute(7, 1), minute(8, 1), minute(9, 1), minute(10, 1)])
    expect(sourcesNow()).toEqual([shape, shape, intrabar])
  })

  test('without intrabar candles between others falls back to its own candle', () => {
    const { sourcesNow, deltas } = laid(
      [five(5, 4), five(10, 4), five(15, 4)],
      [minute(0, 1), minute(5, 3), minute(6, 1, false), minute(15, 4, false)],
    )
    expect(sourcesNow()).toEqual([intrabar, shape, intrabar])
    expect(deltas()).toEqual([2, 0, -4])
  })

  test('uses taker volume where its intrabar candles have it', () => {
    const { sourcesNow, deltas } = laid([five(5, 10)], [minute(0, 1, true, 1), minute(5, 6, true, 1), minute(6, 4, true, 3)])
    expect([sourcesNow(), deltas()]).toEqual([[aggressor], [-2]])
  })
})

describe('the forming bar', () => {
  test('grows by each minute, and minutes of the next bar wait for that bar', () => {
    const { chart, parts, laid: columns, state, deltas } = laid([five(5, 3)], [minute(0, 1), minute(5, 3)])
    const add = (row: CandleRow) => {
      parts.merge([row])
      columns.take(parts.bars.length - 1)
      columns.align(chart.bars, false)
    }
    add(minute(6, 2, false))
    state.replaceLast()
    expect(deltas()).toEqual([1])
    expect(columns.isForming(2)).toBe(true)
    add(minute(10, 7))
    state.replaceLast()
    expect(deltas()).toEqual([1])
    chart.merge([five(10, 7)])
    columns.align(chart.bars, false)
    state.append()
    expect(deltas()).toEqual([1, 7])
    expect(columns.isForming(2)).toBe(false)
    expect(columns.isForming(3)).toBe(true)
  })

  test('is not assigned any minute while the chart has no bars', () => {
    const { laid: columns } = laid([], [minute(5, 1)])
    expect(columns.columns.bars.length).toBe(0)
    expect(columns.isForming(0)).toBe(false)
  })
})

test('step by step gives the same result as all at once, whatever is missing', async () => {
  const gaps = fc.uniqueArray(fc.nat(59), { maxLength: 40 })
  await assertProperty(
    fc.property(gaps, fc.nat(11), (missing, late) => {
      const minutes = Array.from({ length: 60 }, (_, at) => minute(at, at + 1, at % 3 > 0)).filter((_, at) => !missing.includes(at))
      const bars = Array.from({ length: 12 }, (_, at) => five(at * 5, 9))
      const whole = laid(bars, minutes)
      const [chart, parts] = [barStore(), barStore()]
      parts.reset(minutes.slice(0, 1))
      const steps = intrabarColumns(parts.bars, stampOf)
      steps.take(0)
      steps.align(chart.bars, true)
      for (const row of minutes.slice(1)) {
        parts.merge([row])
        steps.take(parts.bars.length - 1)
        // The chart's bars may arrive before their minutes or some time after.
        const known = bars.filter(([ms]) => ms <= row[0] - late * minuteMs)
        chart.merge(known.slice(chart.bars.length))
        steps.align(chart.bars, false)
      }
      chart.merge(bars.slice(chart.bars.length))
      steps.align(chart.bars, false)
      expect(steps.columns.bars.length).toBe(whole.laid.columns.bars.length)
      expect([...steps.columns.firstIndex.subarray(0, 12)]).toEqual([...whole.laid.columns.firstIndex.subarray(0, 12)])
    }),
  )
})
