// Plots of a study that lightweight-charts has series for, and their legend values.
import {
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Plot } from '#shared/indicators/lib/plot.ts'
import type { InputValues } from '#shared/indicators/lib/study-input.ts'
import { idColumns, type PeriodKind } from '#shared/indicators/lib/period-kind.ts'
import type { Study, StudyContext, StudyState } from '#shared/indicators/lib/study.ts'
import type { AxisTimes } from '../axis-times.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import type { FormingLayer } from '../live-bar/overlay.ts'
import { studyColour } from '../role-colour.ts'
import { seriesPair, type SeriesPair } from '../series-pair.ts'
import type { StudyFormat } from './study-format.ts'
import type { Reading } from './legend-values.ts'

export type SeriesPlot = Extract<Plot, { kind: 'line' | 'histogram' | 'candles' }>
type LinePlot = Extract<Plot, { kind: 'line' }>

export interface PlotOptions<P extends SeriesPlot = SeriesPlot> {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly study: Study
  readonly plot: P
  readonly state: StudyState
  readonly colours: () => ChartColours
  readonly axis: Pick<AxisTimes, 'of'>
  readonly format: StudyFormat
  readonly paneIndex: number
  readonly context: StudyContext
  /** Effective inputs. */
  readonly inputs: InputValues
}

export function isSeriesPlot(plot: Plot): plot is SeriesPlot {
  return plot.kind === 'line' || plot.kind === 'histogram' || plot.kind === 'candles'
}

/** Series pair of a plot. The library's types differ by kind; callers treat all kinds alike. */
export function plotPair(deps: PlotOptions): SeriesPair<SeriesType> {
  const { plot } = deps
  if (plot.kind === 'line') return linePair({ ...deps, plot })
  if (plot.kind === 'histogram') return histogramPair({ ...deps, plot })
  return candlesPair({ ...deps, plot })
}

export function addGuide(series: ISeriesApi<SeriesType>, price: number, colours: ChartColours): void {
  series.createPriceLine({
    price,
    color: colours.lineStrong,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
    axisLabelVisible: false,
    title: '',
  })
}

function commonOf({ format }: PlotOptions) {
  return {
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: 'custom', formatter: format.text, minMove: format.minMove },
  } as const
}

function linePair(deps: PlotOptions<LinePlot>): SeriesPair<'Line'> {
  const { chart, forming, study, plot, state, colours, axis, paneIndex } = deps
  // The edges of a band matter less than the area between them.
  const lineWidth = study.plots.some(({ kind }) => kind === 'band') ? 1 : 2
  return seriesPair({
    chart,
    forming,
    definition: LineSeries,
    options: {
      ...commonOf(deps),
      ...fixedRange(study),
      color: studyColour(colours(), study.id, plot.role),
      lineWidth,
      crosshairMarkerVisible: false,
    },
    paneIndex,
    isByNext: plot.direction !== undefined || plot.partedBy !== undefined,
    itemOf(index, step) {
      const point = pointOf(timeAt(axis, index), valueAt(state, plot.column, index))
      const color = 'value' in point ? legColour(deps, index, step) : undefined
      return color === undefined ? point : { ...point, color }
    },
  })
}

/** A point's colour is that of the line to the next point, which is not drawn where the side changes or a period starts. */
function legColour(deps: PlotOptions<LinePlot>, index: number, step: number): string | undefined {
  const next = index + step
  const { plot, study, state, context, inputs, colours } = deps
  if (plot.direction !== undefined) {
    const [side, nextSide] = [valueAt(state, plot.direction, index), valueAt(state, plot.direction, next)]
    const colour = side < 0 ? colours().down : colours().up
    return nextSide === side || Number.isNaN(nextSide) ? colour : faded(colour, 0)
  }
  if (plot.partedBy === undefined) return undefined
  const ids = context.periods?.[idColumns[inputs[plot.partedBy] as PeriodKind]]
  // A single point in its period would be invisible without a line.
  const isParted = ids !== undefined && next < context.bars.length && ids[next] !== ids[index] && ids[index - step] === ids[index]
  return isParted ? faded(studyColour(colours(), study.id, plot.role), 0) : undefined
}

function histogramPair(deps: PlotOptions<Extract<Plot, { kind: 'histogram' }>>): SeriesPair<'Histogram'> {
  const { chart, forming, study, plot, state, colours, axis, paneIndex } = deps
  return seriesPair({
    chart,
    forming,
    definition: HistogramSeries,
    options: { ...commonOf(deps), ...fixedRange(study), base: 0 },
    paneIndex,
    itemOf: (index) => {
      const value = valueAt(state, plot.column, index)
      const { up, down } = colours()
      return Number.isNaN(value)
        ? { time: timeAt(axis, index) }
        : { time: timeAt(axis, index), value, color: faded(value < 0 ? down : up, 0.75) }
    },
  })
}

function candlesPair(deps: PlotOptions<Extract<Plot, { kind: 'candles' }>>): SeriesPair<'Candlestick'> {
  const { chart, forming, study, plot, state, colours, axis, paneIndex } = deps
  const { up, down } = colours()
  return seriesPair({
    chart,
    forming,
    definition: CandlestickSeries,
    options: {
      ...commonOf(deps),
      ...fixedRange(study),
      upColor: faded(up, 0),
      borderUpColor: up,
      wickUpColor: up,
      downColor: down,
      borderDownColor: down,
      wickDownColor: down,
    },
    paneIndex,
    itemOf: (index) => {
      const [high, low, close] = [plot.high, plot.low, plot.close].map((name) => valueAt(state, name, index)) as [number, number, number]
      return Number.isNaN(close) ? { time: timeAt(axis, index) } : { time: timeAt(axis, index), open: 0, high, low, close }
    },
  })
}

function fixedRange({ range }: Study): { autoscaleInfoProvider?: () => AutoscaleInfo } {
  if (range === undefined) return {}
  const [minValue, maxValue] = range
  return { autoscaleInfoProvider: () => ({ priceRange: { minValue, maxValue } }) }
}

function timeAt(axis: Pick<AxisTimes, 'of'>, index: number): Time {
  return axis.of(index) as UTCTimestamp
}

function pointOf(time: Time, value: number): { time: Time; value: number } | { time: Time } {
  return Number.isNaN(value) ? { time } : { time, value }
}

function valueAt(state: StudyState, column: string, index: number): number {
  return state.columns[column]?.[index] ?? Number.NaN
}

export interface ReadingOptions {
  readonly study: Study
  readonly state: StudyState
  readonly format: StudyFormat
  readonly colours: ChartColours
}

/** Legend values at a bar; empty where it has none. */
export function readingsOf(deps: ReadingOptions, index: number): Reading[] {
  const { study, state, format } = deps
  return study.plots.flatMap((plot): Reading[] => {
    if (plot.kind === 'gauge') {
      const full = valueAt(state, plot.column, index)
      return Number.isNaN(full)
        ? []
        : [{ label: plot.label, text: `${full}/${plot.total}`, tone: 'plain', gauge: { full, total: plot.total } }]
    }
    if (!isSeriesPlot(plot)) return []
    const value = valueAt(state, plot.kind === 'candles' ? plot.close : plot.column, index)
    if (Number.isNaN(value)) return []
    const reading = { label: plot.label, text: format.text(value) }
    if (plot.kind === 'line' && plot.direction === undefined)
      return [{ ...reading, tone: 'plain', colour: studyColour(deps.colours, study.id, plot.role) }]
    const signed = plot.kind === 'line' ? valueAt(state, plot.direction ?? '', index) : value
    return [{ ...reading, tone: signed < 0 ? 'down' : 'up' }]
  })
}
