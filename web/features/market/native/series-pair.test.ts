// Two series as one line: whatever is handed over and in whichever order, together they show each group of the window once.
import fc from 'fast-check'
import { LineSeries, type IChartApi, type Time } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import { seriesPair } from './series-pair.ts'
import type { BarWindow } from './view-window.ts'

interface Point {
  readonly time: number
  readonly value: number
}

/** The library's side: what a series holds, and its refusal of what is older than its last point. */
function bareChart(held: Point[][]): IChartApi {
  const addSeries = () => {
    const own = held.push([]) - 1
    return {
      setData: (points: Point[]) => void (held[own] = points),
      update(point: Point) {
        const points = held[own] ?? []
        const last = points.at(-1)?.time ?? Number.NEGATIVE_INFINITY
        if (point.time < last) throw new Error(`Cannot update oldest data, last time=${last}, new time=${point.time}`)
        held[own] = [...points.filter(({ time }) => time !== point.time), point]
      },
    }
  }
  return { addSeries } as unknown as IChartApi
}

/** One line over bars whose value is the number of ticks that they have had. */
function lineOf(tailLength: 1 | 2) {
  const held: Point[][] = []
  const values: number[] = []
  let window: BarWindow = { from: 0, to: 0, step: 1 }
  const startOf = (index: number) => window.from + Math.floor((index - window.from) / window.step) * window.step
  const pair = seriesPair({
    chart: bareChart(held),
    definition: LineSeries,
    options: {},
    paneIndex: 0,
    tailLength,
    itemOf: (index) => ({ time: startOf(index) as unknown as Time, value: values[index] ?? Number.NaN }),
  })
  return {
    values,
    draw(next: BarWindow) {
      window = next
      pair.draw(next, values.length)
    },
    advance(fromIndex: number) {
      window = { ...window, to: values.length }
      pair.advance(fromIndex, values.length)
    },
    window: () => window,
    shown: () => new Map(held.flat().map(({ time, value }) => [time, value])),
    expected() {
      const groups = new Map<number, number>()
      for (let index = Math.max(0, window.from); index < window.to; index += 1) groups.set(startOf(index), values[index] as number)
      return groups
    },
    lengths: () => held.map((points) => points.length),
  }
}

describe('a pair of series', () => {
  it('keeps the forming bar apart, so that a tick touches nothing else', () => {
    const line = lineOf(1)
    line.values.push(1, 2, 3, 4)
    line.draw({ from: 0, to: 4, step: 1 })
    expect(line.lengths()).toEqual([3, 1])
    line.draw({ from: 0, to: 3, step: 1 })
    expect(line.lengths()).toEqual([3, 0])
  })

  it('shows each group of the window once, through windows, ticks and new bars', () => {
    const step = fc.constantFrom(1, 2, 4)
    const act = fc.oneof(
      fc.record({ kind: fc.constant('draw' as const), start: fc.double({ min: 0, max: 1, noNaN: true }), step, cut: fc.nat(3) }),
      fc.record({ kind: fc.constant('bars' as const), count: fc.integer({ min: 0, max: 3 }) }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom<1 | 2>(1, 2),
        fc.integer({ min: 1, max: 30 }),
        fc.array(act, { maxLength: 20 }),
        (tailLength, first, acts) => {
          const line = lineOf(tailLength)
          line.values.push(...Array.from({ length: first }, () => 1))
          line.draw({ from: 0, to: first, step: 1 })
          for (const one of acts) {
            if (one.kind === 'draw') {
              const from = Math.floor(one.start * line.values.length) - (one.cut % one.step)
              line.draw({ from, to: line.values.length, step: one.step })
            } else {
              const last = line.values.length - 1
              line.values[last] = (line.values[last] as number) + 1
              for (let at = 0; at < one.count; at += 1) line.values.push(1)
              line.advance(last)
            }
            expect(line.shown()).toEqual(line.expected())
          }
        },
      ),
    )
  })
})
