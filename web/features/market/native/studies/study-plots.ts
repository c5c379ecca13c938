// The plots of a study that the drawing library has series for, and what the legend reads from them.
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
} from 'lightweight-charts'
import type { Plot } from '#shared/market/indicators/plots.ts'
import type { InputValues } from '#shared/market/indicators/inputs.ts'
import { idColumns, type PeriodKind } from '#shared/market/indicators/period-bars.ts'
import type { Study, StudyContext, StudyState } from '#shared/market/indicators/study.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import type { FormingLayer } from '../forming/forming-layer.ts'
import { studyColour } from '../role-colour.ts'
import { seriesPair, type SeriesPair } from '../series-pair.ts'
import type { StudyFormat } from './study-format.ts'
import type { Reading } from './study-reading.ts'

export type SeriesPlot = Extract<Plot, { kind: 'line' | 'histogram' | 'candles' }>
type LinePlot = Extract<Plot, { kind: 'line' }>

export interface PlotNeeds<P extends SeriesPlot = SeriesPlot> {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly study: Study
  readonly plot: P
  readonly state: StudyState
  readonly colours: () => ChartColours
  readonly timeOf: (index: number) => Time
  readonly format: StudyFormat
  readonly paneIndex: number
  readonly context: StudyContext
  /** As the study runs with them. */
  readonly inputs: InputValues
}

export function isSeriesPlot(plot: Plot): plot is SeriesPlot {
  return plot.kind === 'line' || plot.kind === 'histogram' || plot.kind === 'candles'
}

/** The pair of series of a plot. The library's types differ by kind; the caller only draws, advances and removes. */
export function plotPair(needs: PlotNeeds): SeriesPair<SeriesType> {
  const { plot } = needs
  if (plot.kind === 'line') return linePair({ ...needs, plot })
  if (plot.kind === 'histogram') return histogramPair({ ...needs, plot })
  return candlesPair({ ...needs, plot })
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

function commonOf({ format }: PlotNeeds) {
  return {
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: 'custom', formatter: format.text, minMove: format.minMove },
  } as const
}

function linePair(needs: PlotNeeds<LinePlot>): SeriesPair<'Line'> {
  const { chart, forming, study, plot, state, colours, timeOf, paneIndex } = needs
  // The edges of a band say less than the area between them.
  const lineWidth = study.plots.some(({ kind }) => kind === 'band') ? 1 : 2
  return seriesPair({
    chart,
    forming,
    definition: LineSeries,
    options: {
      ...commonOf(needs),
      ...fixedRange(study),
      color: studyColour(colours(), study.id, plot.role),
      lineWidth,
      crosshairMarkerVisible: false,
    },
    paneIndex,
    isByNext: plot.direction !== undefined || plot.partedBy !== undefined,
    itemOf(index, step) {
      const point = pointOf(timeOf(index), valueAt(state, plot.column, index))
      const color = 'value' in point ? legColour(needs, index, step) : undefined
      return color === undefined ? point : { ...point, color }
    },
  })
}

/** A point's colour is that of the line from it to the next one, which is not drawn where the side changes or a period begins. */
function legColour(needs: PlotNeeds<LinePlot>, index: number, step: number): string | undefined {
  const next = index + step
  const { plot, study, state, context, inputs, colours } = needs
  if (plot.direction !== undefined) {
    const [side, nextSide] = [valueAt(state, plot.direction, index), valueAt(state, plot.direction, next)]
    const colour = side < 0 ? colours().down : colours().up
    return nextSide === side || Number.isNaN(nextSide) ? colour : faded(colour, 0)
  }
  if (plot.partedBy === undefined) return undefined
  const ids = context.periods?.[idColumns[inputs[plot.partedBy] as PeriodKind]]
  // A point that is all there is of its period would not be seen without a line.
  const isParted = ids !== undefined && next < context.bars.length && ids[next] !== ids[index] && ids[index - step] === ids[index]
  return isParted ? faded(studyColour(colours(), study.id, plot.role), 0) : undefined
}

function histogramPair(needs: PlotNeeds<Extract<Plot, { kind: 'histogram' }>>): SeriesPair<'Histogram'> {
  const { chart, forming, study, plot, state, colours, timeOf, paneIndex } = needs
  return seriesPair({
    chart,
    forming,
    definition: HistogramSeries,
    options: { ...commonOf(needs), ...fixedRange(study), base: 0 },
    paneIndex,
    itemOf: (index) => {
      const value = valueAt(state, plot.column, index)
      const { up, down } = colours()
      return Number.isNaN(value) ? { time: timeOf(index) } : { time: timeOf(index), value, color: faded(value < 0 ? down : up, 0.75) }
    },
  })
}

function candlesPair(needs: PlotNeeds<Extract<Plot, { kind: 'candles' }>>): SeriesPair<'Candlestick'> {
  const { chart, forming, study, plot, state, colours, timeOf, paneIndex } = needs
  const { up, down } = colours()
  return seriesPair({
    chart,
    forming,
    definition: CandlestickSeries,
    options: {
      ...commonOf(needs),
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
      return Number.isNaN(close) ? { time: timeOf(index) } : { time: timeOf(index), open: 0, high, low, close }
    },
  })
}

function fixedRange({ range }: Study): { autoscaleInfoProvider?: () => AutoscaleInfo } {
  if (range === undefined) return {}
  const [minValue, maxValue] = range
  return { autoscaleInfoProvider: () => ({ priceRange: { minValue, maxValue } }) }
}

function pointOf(time: Time, value: number): { time: Time; value: number } | { time: Time } {
  return Number.isNaN(value) ? { time } : { time, value }
}

function valueAt(state: StudyState, column: string, index: number): number {
  return state.columns[column]?.[index] ?? Number.NaN
}

export interface ReadingNeeds {
  readonly study: Study
  readonly state: StudyState
  readonly format: StudyFormat
  readonly colours: ChartColours
}

/** What the legend says about a bar; nothing where it has no value. */
export function readingsOf(needs: ReadingNeeds, index: number): Reading[] {
  const { study, state, format } = needs
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
      return [{ ...reading, tone: 'plain', colour: studyColour(needs.colours, study.id, plot.role) }]
    const signed = plot.kind === 'line' ? valueAt(state, plot.direction ?? '', index) : value
    return [{ ...reading, tone: signed < 0 ? 'down' : 'up' }]
  })
}
