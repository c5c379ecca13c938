// Study contexts from hand-written rows, and comparison of outputs.
import { expect } from 'vitest'
import { createBarColumns } from '../lib/bar-columns.ts'
import { type StudyContext, type StudyState } from '../lib/study.ts'

type Column = Float64Array | Uint8Array
type Row = readonly [open: number, high: number, low: number, close: number, volume?: number, takerBuyVolume?: number]

/** A context with these bars, and defaults for everything else. */
export function contextOf(rows: readonly Row[], rest: Partial<StudyContext> = {}): StudyContext {
  const bars = createBarColumns(rows.length + 4)
  for (const [index, [open, high, low, close, volume = Number.NaN, takerBuyVolume = Number.NaN]] of rows.entries()) {
    bars.timeMs[index] = index * 60_000
    bars.open[index] = open
    bars.high[index] = high
    bars.low[index] = low
    bars.close[index] = close
    bars.volume[index] = volume
    bars.takerBuyVolume[index] = takerBuyVolume
  }
  bars.length = rows.length
  return { bars, timeframe: '5', sessionClass: 'nse-index', tickSize: 0.05, hasVolume: true, ...rest }
}

/** Bars with four equal prices. */
export function flatRows(closes: readonly number[], volume?: number): Row[] {
  return closes.map((close) => (volume === undefined ? [close, close, close, close] : [close, close, close, close, volume]))
}

export function columnOf(state: StudyState, name: string, length: number): number[] {
  const column = state.columns[name]
  if (column === undefined) throw new Error(`no column ${name}`)
  return [...column.subarray(0, length)]
}

/** Equal within 1e-9, relative for numbers above 1, and NaN in the same places. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, from = 0): void {
  expect(actual.length).toBe(expected.length)
  for (let index = from; index < actual.length; index += 1) {
    const [one, other] = [actual[index] ?? Number.NaN, expected[index] ?? Number.NaN]
    const isSame = Object.is(one, other) || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))
    if (!isSame) expect.fail(`at ${index}: ${one} is not ${other}`)
  }
}

/** Expects two states to have identical outputs for this many bars. */
export function expectSameShown(one: StudyState, other: StudyState, length: number): void {
  const [first, second] = [shownBy(one, length), shownBy(other, length)]
  const isSame = first.every((column, at) => isSameColumn(column, second[at] ?? column))
  if (!isSame || one.provenance !== other.provenance) expect([one.provenance, first]).toEqual([other.provenance, second])
}

function shownBy({ columns, levels, points }: StudyState, length: number): Column[] {
  const parts: [record: object, count: number][] = [[columns, length]]
  if (levels !== null) parts.push([levels, levels.count])
  if (points !== null) parts.push([points, points.count])
  return parts.flatMap(([record, count]) =>
    Object.values(record).flatMap((value: unknown) => (ArrayBuffer.isView(value) ? [(value as Column).subarray(0, count)] : [])),
  )
}

function isSameColumn(one: Column, other: Column): boolean {
  return one.length === other.length && one.every((value, index) => Object.is(value, other[index]))
}
