// One study on the chart: its state, what is drawn of it, and what the legend says about it.
import type { IChartApi, ISeriesApi, SeriesType, Time } from 'lightweight-charts'
import { provenanceShort, provenanceText } from '#shared/text/en/studies.ts'
import { resolveInputs } from '#shared/market/indicators/inputs.ts'
import { provenances, type Provenance } from '#shared/market/indicators/provenance.ts'
import type { Study, StudyContext, StudyState } from '#shared/market/indicators/study.ts'
import type { ChartColours } from '../chart-colours.ts'
import type { FormingLayer } from '../forming/forming-layer.ts'
import type { PriceText } from '../price-text.ts'
import { bandPainter, bandTip } from '../primitives/band-painter.ts'
import { levelsPainter } from '../primitives/levels-painter.ts'
import type { Painter } from '../primitives/painter.ts'
import type { Plane } from '../primitives/plane.ts'
import { openPrice, pointsPainter } from '../primitives/points-painter.ts'
import type { SeriesPair } from '../series-pair.ts'
import type { Shade } from '../shade.ts'
import type { BarWindow } from '../view-window.ts'
import { listSignature } from './list-signature.ts'
import { studyFormat, type StudyFormat } from './study-format.ts'
import { addGuide, isSeriesPlot, plotPair, readingsOf } from './study-plots.ts'
import type { Reading, StudyNote } from './study-reading.ts'

export interface StudyViewNeeds {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly study: Study
  /** Any will do; what is missing is as by default. */
  readonly inputs: unknown
  readonly context: StudyContext
  readonly colours: () => ChartColours
  readonly text: PriceText
  readonly timeOf: (index: number) => Time
  readonly plane: Plane
  /** First bar of those that the forming one is drawn with; one more than there are where it is not in the window. */
  readonly formingFrom: () => number
  /** Series of the candles, on which drawings on the price hang. */
  readonly priceSeries: () => ISeriesApi<SeriesType>
}

export interface StudyView {
  /** Adds what it draws; a study with a pane of its own goes into this one, new or not. */
  attach(paneIndex: number): void
  /** The pane that is its own; undefined for a study on the price, and for one with nothing to draw. */
  paneIndex(): number | undefined
  draw(window: BarWindow, length: number): void
  /** After bars from an index on are new or changed. */
  advance(fromIndex: number, length: number): void
  /** Whether no more is to be drawn anew than the forming bar of its lines: nothing that paints itself looks different. */
  canTouch(fromIndex: number, length: number): boolean
  /** The forming bar of its lines is another. */
  touch(length: number): void
  /** The library knows an older forming bar of a line than is shown. */
  isBehind(): boolean
  /** Computes all bars anew. */
  full(): void
  compute(isAppend: boolean): void
  readings(index: number): readonly Reading[]
  note(index: number): StudyNote | undefined
  /** How it colours the candles, if it does. */
  readonly shade: Shade | undefined
  detach(): void
}

export function studyView(needs: StudyViewNeeds): StudyView {
  const { study, context } = needs
  const state = study.create(needs.inputs, context)
  const format = studyFormat(study, needs.text, context.tickSize)
  let look = 0
  const pairs: SeriesPair<SeriesType>[] = []
  /** How to take away what the bands show of the forming bar. */
  const tips: (() => void)[] = []
  const painters: { readonly painter: Painter; readonly series: ISeriesApi<SeriesType> }[] = []
  return {
    shade: shadeOf(study, state),
    full: () => state.full(),
    compute: (isAppend) => (isAppend ? state.append() : state.replaceLast()),
    attach(paneIndex) {
      // Nothing is drawn where there is nothing to say: no zeros for a market without volume.
      if (state.provenance === 'no-volume' && !context.hasVolume) return
      pairs.push(...pairsOf(needs, { state, format, paneIndex: study.pane === 'price' ? 0 : paneIndex }))
      const [first] = pairs
      if (first !== undefined) for (const plot of study.plots) if (plot.kind === 'guide') addGuide(first.main, plot.value, needs.colours())
      for (const painter of paintersOf(needs, state)) {
        const series = needs.priceSeries()
        series.attachPrimitive(painter)
        painters.push({ painter, series })
      }
      for (const plot of study.plots) {
        if (plot.kind !== 'band') continue
        const tip = bandTip({ ...needs, plot, columns: state.columns })
        tips.push(needs.forming.add(needs.priceSeries().getPane(), tip, 'bottom'))
      }
    },
    paneIndex: () => (study.pane === 'own' ? pairs[0]?.main.getPane().paneIndex() : undefined),
    draw(window, length) {
      for (const pair of pairs) pair.draw(window, length)
      for (const { painter } of painters) painter.repaint()
      look = lookOf(needs, state)
    },
    advance(fromIndex, length) {
      // The price advances with it, and that picture holds the painters' work too.
      for (const pair of pairs) pair.advance(fromIndex, length)
      look = lookOf(needs, state)
    },
    canTouch: (fromIndex, length) => pairs.every((pair) => pair.canTouch(fromIndex, length)) && lookOf(needs, state) === look,
    touch(length) {
      for (const pair of pairs) pair.touch(length)
    },
    isBehind: () => pairs.some((pair) => pair.isBehind()),
    readings: (index) => (state.provenance === 'no-volume' ? [] : readingsOf({ study, state, format, colours: needs.colours() }, index)),
    note: (index) => noteOf(provenanceAt(study, state, index)),
    detach() {
      for (const remove of tips.splice(0)) remove()
      for (const { painter, series } of painters.splice(0)) series.detachPrimitive(painter)
      for (const pair of pairs.splice(0)) pair.remove()
    },
  }
}

interface ViewParts {
  readonly state: StudyState
  readonly format: StudyFormat
  readonly paneIndex: number
}

/** Of what its painters draw from lists, and to which pixel an open leg of a zig zag goes. */
function lookOf({ plane, context }: StudyViewNeeds, { levels, points }: StudyState): number {
  const openY = points === null ? null : plane.yOf(openPrice(points, context.bars))
  const lists = (levels === null ? 0 : listSignature(levels)) + (points === null ? 0 : listSignature(points))
  return lists + (openY === null || Number.isNaN(openY) ? 0 : Math.round(openY))
}

function pairsOf(
  { chart, forming, study, colours, timeOf, context, ...needs }: StudyViewNeeds,
  parts: ViewParts,
): SeriesPair<SeriesType>[] {
  const inputs = resolveInputs(study, needs.inputs, context)
  return study.plots
    .filter(isSeriesPlot)
    .map((plot) => plotPair({ chart, forming, study, plot, colours, timeOf, context, inputs, ...parts }))
}

function paintersOf({ study, plane, colours, text, context, formingFrom }: StudyViewNeeds, state: StudyState): Painter[] {
  const { levels, points } = state
  const lastIndex = () => context.bars.length - 1
  return study.plots.flatMap((plot) => {
    if (plot.kind === 'band') return [bandPainter({ plane, plot, columns: state.columns, colours, formingFrom })]
    if (plot.kind === 'levels' && levels !== null)
      return [levelsPainter({ plane, plot, levels, colours, isVolume: context.hasVolume, lastIndex })]
    if (plot.kind === 'points' && points !== null) return [pointsPainter({ plane, points, bars: context.bars, colours, text })]
    return []
  })
}

function shadeOf(study: Study, state: StudyState): Shade | undefined {
  const plot = study.plots.find((plot) => plot.kind === 'shade')
  if (plot === undefined) return undefined
  return {
    directionAt: (index) => state.columns[plot.direction]?.[index] ?? Number.NaN,
    alphaAt: (index) => state.columns[plot.alpha]?.[index] ?? Number.NaN,
  }
}

/** Where the value of this bar comes from, where the study tells it bar by bar; else that of the latest one. */
function provenanceAt(study: Study, state: StudyState, index: number): Provenance {
  const plot = study.plots.find((plot) => plot.kind === 'candles')
  const name = plot === undefined ? undefined : plot.provenances[state.columns[plot.provenance]?.[index] ?? Number.NaN]
  return provenances.find((known) => known === name) ?? state.provenance
}

function noteOf(provenance: Provenance): StudyNote | undefined {
  // Daily values are what the setting says.
  if (provenance === 'prices' || provenance === 'volume' || provenance === 'official-periods') return undefined
  return { text: provenanceText[provenance], short: provenanceShort[provenance] }
}
