// The Tezi chart as a surface for drawings: adapts the time and price scales of lightweight-charts.
import { minuteMs } from '#shared/base/durations.ts'
import { indexOfTime, timeOfIndex, type BarTimes, type Mapping } from '#shared/drawings/mapping.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import type { ISeriesPrimitiveAxisView } from 'lightweight-charts'
import type { ChartModel } from './chart-model.ts'
import type { ChartRenderer } from './chart-renderer.ts'
import { xOfBar } from './primitives/coordinates.ts'
import { painter } from './primitives/painter.ts'
import { mappingOf, type AxisMark, type DrawingSurface, type Paint } from '#web/features/drawings/drawing-surface.ts'

export interface ChartSurfaceOptions {
  readonly host: HTMLElement
  readonly timeframe: Timeframe
  readonly model: Pick<ChartModel, 'shown'>
  readonly renderer: ChartRenderer
}

const dayMinutes = 1_440
/** Far beyond the axis. */
const outside = -1_000

/** Adds a layer for all drawings to those of the chart. */
export function chartSurface(options: ChartSurfaceOptions): DrawingSurface {
  const { host, model, renderer } = options
  const { chart, axis, layers } = renderer
  const stepMs = (stepMinutesOf(options.timeframe) ?? dayMinutes) * minuteMs
  const added = new Set<{ readonly paint: Paint; readonly marks: () => readonly AxisMark[] }>()
  const layer = painter('top', ({ pen }) => {
    const now = mapping()
    if (now !== undefined) for (const { paint } of added) paint(pen, now)
  })

  function times(): BarTimes {
    const { timeMs, length } = model.shown.bars
    return { timeMs, length, stepMs }
  }

  function mapping(): Mapping | undefined {
    const pane = chart.panes()[0]
    if (!renderer.isPainted || pane === undefined) return undefined
    const { main } = layers.price
    return mappingOf({
      bars: times(),
      xOfIndex: (index) => xOfBar(chart, axis.window, index),
      yOfPrice: (price) => main.priceToCoordinate(price),
      priceOfY: (y) => main.coordinateToPrice(y),
      width: chart.timeScale().width(),
      height: pane.getHeight(),
    })
  }

  const labelOf = ({ price, text, colour, ink }: AxisMark): ISeriesPrimitiveAxisView => ({
    coordinate: () => layers.price.main.priceToCoordinate(price) ?? outside,
    text: () => text,
    textColor: () => ink,
    backColor: () => colour,
  })
  layers.addPrimitive({ ...layer, priceAxisViews: () => [...added].flatMap(({ marks }) => marks().map(labelOf)) })
  return {
    host,
    mapping,
    barAt(timeMs) {
      const { length, timeMs: stamps, open, high, low, close } = model.shown.bars
      const at = Math.round(indexOfTime(times(), timeMs))
      if (!(at >= 0 && at < length)) return undefined
      const value = (column: Float64Array) => column[at] as number
      return { timeMs: value(stamps), open: value(open), high: value(high), low: value(low), close: value(close) }
    },
    indexOf: (timeMs) => indexOfTime(times(), timeMs),
    timeOf: (index) => timeOfIndex(times(), index),
    addLayer(paint, marks) {
      const own = { paint, marks }
      added.add(own)
      layer.repaint()
      return { repaint: () => layer.repaint(), remove: () => void added.delete(own) }
    },
  }
}
