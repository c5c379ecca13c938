// Two series as one line: whatever is handed over and in whichever order, together they show each group of the window once.
import { LineSeries, type IChartApi, type Time } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { FormingSource } from './forming/forming-strip.ts'
import { seriesPair } from './series-pair.ts'
import type { BarWindow } from './view-window.ts'

interface Point {
  readonly time: number
  readonly value: number
}

/** As many ticks as its scale has room for. */
const topOfScale = 3

/** The library's side: what a series holds, and its refusal of what is older than its last point. */
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

/** One line over bars whose value is the number of ticks that they have had. */
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
    /** As the chart does it: the library is told only where it has to be. */
    tick() {
      if (pair.canTouch(values.length - 1, values.length)) pair.touch(values.length)
      else pair.advance(values.length - 1, values.length)
    },
    pair,
    window: () => window,
    /** What the library has of closed bars, and what we draw of the forming one. */
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

describe('a pair of series', () => {
  it('keeps the forming bar apart, so that a tick touches nothing else', () => {
    const line = lineOf()
    line.values.push(1, 2, 3, 4)
    line.draw({ from: 0, to: 4, step: 1 })
    expect(line.lengths()).toEqual([3, 1])
    line.draw({ from: 0, to: 3, step: 1 })
    expect(line.lengths()).toEqual([3, 0])
  })

  it('tells the library of a forming bar that its scale has no room for or was open for, and only then', () => {
    const line = lineOf()
    line.values.push(1, 1)
    line.draw({ from: 0, to: 2, step: 1 })
    for (const [value, isBehind] of [
      [2, true],
      [topOfScale, true],
      [topOfScale + 1, false],
      // What held the scale open does not any more.
      [topOfScale, false],
      [topOfScale - 1, false],
      [topOfScale - 2, true],
    ] as const) {
      line.values[1] = value
      line.tick()
      expect(line.shown()).toEqual(line.expected())
      expect(line.pair.isBehind()).toBe(isBehind)
    }
    line.values.push(1)
    expect(line.pair.canTouch(2, 3)).toBe(false)
    line.advance(2)
    expect(line.shown()).toEqual(line.expected())
  })

  it('shows each group of the window once, through windows, ticks and new bars', async () => {
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
