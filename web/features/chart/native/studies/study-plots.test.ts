// Where the line of a study is broken: between two sessions, where its computation restarts.
import type { IChartApi } from 'lightweight-charts'
import { expect, test } from 'vitest'
import { resolveInputs } from '#shared/indicators/lib/study-input.ts'
import { contextOf, flatRows } from '#shared/indicators/testing/contexts.ts'
import { vwap } from '#shared/indicators/studies/vwap.ts'
import type { ChartColours } from '../chart-colours.ts'
import { isSeriesPlot, plotPair } from './study-plots.ts'

interface Point {
  readonly time: number
  readonly color?: string
}

/** Bars by day: three, two and two. */
const days = [1, 1, 1, 2, 2, 3, 3]
const colours = { up: '#00ff00', down: '#ff0000' } as ChartColours

/** Indexes of the points after which the line breaks, with `step` bars per group. */
function partings(anchor: 'day' | 'month', step: number): readonly number[] {
  const ids = Float64Array.from(days)
  const periods = { dayId: ids, weekId: ids, monthId: ids.map(() => 1) }
  const context = contextOf(flatRows([10, 11, 12, 20, 21, 30, 31], 5), { periods, hasVolume: true })
  const inputs = resolveInputs(vwap, { anchor })
  const state = vwap.create(inputs, context)
  state.full()
  const held: Point[][] = []
  const addSeries = () => {
    const own = held.push([]) - 1
    return { getPane: () => ({}), setData: (points: Point[]) => void (held[own] = points) }
  }
  const chart = { addSeries } as unknown as IChartApi
  const forming = { add: () => () => undefined }
  const format = { text: String, minMove: 0.01 }
  for (const plot of vwap.plots.filter(isSeriesPlot)) {
    const axis = { of: (index: number) => index }
    const options = { chart, forming, study: vwap, plot, state, colours: () => colours, axis, format, paneIndex: 0, context, inputs }
    const pair = plotPair(options)
    pair.draw({ from: 0, to: days.length, step }, days.length)
  }
  const [closed = []] = held
  return closed.filter(({ color }) => color?.endsWith('00')).map(({ time }) => time)
}

test.for([
  ['day', 1, [2, 4]],
  // A point that is alone in its day would be invisible.
  ['day', 2, []],
  ['month', 1, []],
] as const)('a line anchored to the %s breaks with %i bars per group at %o', ([anchor, step, expected]) => {
  expect(partings(anchor, step)).toEqual(expected)
})
