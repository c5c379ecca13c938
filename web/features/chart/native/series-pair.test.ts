// Two series as one line: together they show each group of the window exactly once, whatever the order of updates.
import { LineSeries, type IChartApi, type Time } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { FormingSource } from './live-bar/overlay.ts'
import { seriesPair } from './series-pair.ts'
import type { BarWindow } from './view-window.ts'

interface Point {
  readonly time: number
  readonly value: number
}

/** Number of ticks that fit on the scale. */
const topOfScale = 3

/** Fake of the library: keeps the points of a series and rejects points older than the last one. */
function bareChart(held: Point[][]): IChartApi {
  const addSeries = () => {
    const own = held.push([]) - 1
    return {
      getPane: () => ({}),
      priceScale: () => ({ getVisibleRange: () => ({ from: 0, to: topOfScale }) }),
      priceToCoordinate: (price: number) => price,
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

/** One line over bars whose value is their number of ticks. */
function lineOf() {
  const held: Point[][] = []
  const forming: FormingSource[] = []
  const values: number[] = []
  let window: BarWindow = { from: 0, to: 0, step: 1 }
  const startOf = (index: number) => window.from + Math.floor((index - window.from) / window.step) * window.step
  const pair = seriesPair({
    chart: bareChart(held),
    forming: { add: (_pane, source) => (forming.push(source), () => undefined) },
    definition: LineSeries,
    options: {},
    paneIndex: 0,
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
    /** Like the chart: updates the library only where needed. */
    tick() {
      const isTouched = pair.touch(values.length - 1, values.length)
      if (!isTouched) pair.advance(values.length - 1, values.length)
      return isTouched
    },
    pair,
    window: () => window,
    /** What the library has of closed bars, and what the overlay shows of the forming one. */
    shown() {
      const shown = new Map((held[0] ?? []).map(({ time, value }) => [time, value]))
      const [place, sprite] = [forming[0]?.place(), forming[0]?.sprite(1)]
      if (place !== undefined && sprite?.kind === 'line') shown.set(window.from + place * window.step, sprite.y)
      return shown
    },
    expected() {
      const groups = new Map<number, number>()
      for (let index = Math.max(0, window.from); index < window.to; index += 1) groups.set(startOf(index), values[index] as number)
      return groups
    },
    lengths: () => held.map((points) => points.length),
  }
}

describe('series pair', () => {
  it('keeps the forming bar separate, so that a tick touches nothing else', () => {
    const line = lineOf()
    line.values.push(1, 2, 3, 4)
    line.draw({ from: 0, to: 4, step: 1 })
    expect(line.lengths()).toEqual([3, 1])
    line.draw({ from: 0, to: 3, step: 1 })
    expect(line.lengths()).toEqual([3, 0])
  })

  it("updates the library's forming bar only when the price scale must grow or shrink", () => {
    const line = lineOf()
    line.values.push(1, 1)
    line.draw({ from: 0, to: 2, step: 1 })
    for (const [value, isTouched] of [
      [2, true],
      [topOfScale, true],
      [topOfScale + 1, false],
      // The value that stretched the scale is gone.
      [topOfScale, false],
      [topOfScale - 1, false],
      [topOfScale - 2, true],
    ] as const) {
      line.values[1] = value
      expect(line.tick()).toBe(isTouched)
      expect(line.shown()).toEqual(line.expected())
    }
    line.values.push(1)
    expect(line.pair.touch(2, 3)).toBe(false)
    line.advance(2)
    expect(line.shown()).toEqual(line.expected())
  })

  it('shows each group of the window once, through window moves, ticks and new bars', async () => {
    const step = fc.constantFrom(1, 2, 4)
    const act = fc.oneof(
      fc.record({ kind: fc.constant('draw' as const), start: fc.double({ min: 0, max: 1, noNaN: true }), step, cut: fc.nat(3) }),
      fc.record({ kind: fc.constant('bars' as const), count: fc.integer({ min: 0, max: 3 }) }),
    )
    await assertProperty(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(act, { maxLength: 20 }), (first, acts) => {
        const line = lineOf()
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
            if (one.count === 0) line.tick()
            else line.advance(last)
          }
          expect(line.shown()).toEqual(line.expected())
        }
      }),
    )
  })
})
