// Our own chart as a surface for drawings: the drawing library's axis and scale behind the narrow port.
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts'
import { minuteMs } from '#shared/base/durations.ts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import { indexOfTime, timeOfIndex, type BarTimes, type Mapping } from '#shared/market/drawings/mapping.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { painter, type Painter } from '../native/primitives/painter.ts'
import { mappingOf, type DrawingSurface, type Paint } from './drawing-surface.ts'

export interface ChartSurfaceNeeds {
  readonly host: HTMLElement
  readonly chart: IChartApi
  /** The price's own series, also after a change of style. */
  readonly series: () => ISeriesApi<SeriesType>
  /** The bars that are drawn. */
  readonly bars: () => BarColumns
  /** Middle of a bar, pixels. */
  readonly xOfIndex: (index: number) => number | null
  readonly isPainted: () => boolean
  readonly timeframe: Timeframe
}

const dayMinutes = 1_440

/** `layer` is to be attached to each series that the price gets. */
export function chartSurface(needs: ChartSurfaceNeeds): { readonly surface: DrawingSurface; readonly layer: Painter } {
  const { host, chart, series, bars, xOfIndex } = needs
  const stepMs = (stepMinutesOf(needs.timeframe) ?? dayMinutes) * minuteMs
  const paints = new Set<Paint>()
  const layer = painter('top', ({ pen }) => {
    const now = mapping()
    if (now !== undefined) for (const paint of paints) paint(pen, now)
  })

  function times(): BarTimes {
    const { timeMs, length } = bars()
    return { timeMs, length, stepMs }
  }

  function mapping(): Mapping | undefined {
    const pane = chart.panes()[0]
    if (!needs.isPainted() || pane === undefined) return undefined
    const main = series()
    return mappingOf({
      bars: times(),
      xOfIndex,
      yOfPrice: (price) => main.priceToCoordinate(price),
      priceOfY: (y) => main.coordinateToPrice(y),
      width: chart.timeScale().width(),
      height: pane.getHeight(),
    })
  }

  const surface: DrawingSurface = {
    host,
    mapping,
    barAt(timeMs) {
      const { length, timeMs: stamps, open, high, low, close } = bars()
      const at = Math.round(indexOfTime(times(), timeMs))
      if (!(at >= 0 && at < length)) return undefined
      const value = (column: Float64Array) => column[at] as number
      return { timeMs: value(stamps), open: value(open), high: value(high), low: value(low), close: value(close) }
    },
    indexOf: (timeMs) => indexOfTime(times(), timeMs),
    timeOf: (index) => timeOfIndex(times(), index),
    addLayer(paint) {
      paints.add(paint)
      layer.repaint()
      return { repaint: () => layer.repaint(), remove: () => void paints.delete(paint) }
    },
  }
  return { surface, layer }
}
