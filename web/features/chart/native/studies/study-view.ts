// One study on the chart: its state, its rendering and its legend values.
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts'
import { provenanceShort, provenanceText } from '#shared/indicators/text/en.ts'
import { resolveInputs } from '#shared/indicators/lib/study-input.ts'
import { provenances, type Provenance } from '#shared/indicators/lib/provenance.ts'
import type { Study, StudyContext, StudyState } from '#shared/indicators/lib/study.ts'
import type { AxisTimes } from '../axis-times.ts'
import type { BarLayer } from '../bar-layer.ts'
import type { ChartColours } from '../chart-colours.ts'
import type { FormingLayer } from '../live-bar/overlay.ts'
import type { PriceText } from '#web/features/market-data/price-text.ts'
import { bandPainter, bandTip } from '../primitives/band-painter.ts'
import { levelsPainter } from '../primitives/levels-painter.ts'
import type { Painter } from '../primitives/painter.ts'
import type { Plane } from '../primitives/coordinates.ts'
import { openPrice, pointsPainter } from '../primitives/points-painter.ts'
import type { SeriesPair } from '../series-pair.ts'
import type { Shade } from '../candle-tint.ts'
import type { BarWindow } from '../view-window.ts'
import { listSignature } from './list-signature.ts'
import { studyFormat, type StudyFormat } from './study-format.ts'
import { addGuide, isSeriesPlot, plotPair, readingsOf } from './study-plots.ts'
import type { Reading, StudyNote } from './legend-values.ts'

export interface StudyViewOptions {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly study: Study
  /** Any value; missing or invalid inputs use their defaults. */
  readonly inputs: unknown
  readonly context: StudyContext
  readonly colours: () => ChartColours
  readonly text: PriceText
  readonly axis: AxisTimes
  readonly plane: Plane
  /** Whether the bars are generated. */
  readonly isDemo: () => boolean
  /** First bar of the forming group; the number of bars where it is not in the window. */
  readonly formingFrom: () => number
  /** Series of the candles, to which drawings on the price are attached. */
  readonly priceSeries: ISeriesApi<SeriesType>
}

export class StudyView implements BarLayer {
  /** How it tints the candles, if it does. */
  readonly shade: Shade | undefined
  readonly #options: StudyViewOptions
  readonly #state: StudyState
  readonly #format: StudyFormat
  readonly #pairs: SeriesPair<SeriesType>[] = []
  readonly #painters: Painter[] = []
  /** Remove functions for the bands' part at the forming bar. */
  readonly #tips: (() => void)[] = []
  #look = 0

  constructor(options: StudyViewOptions) {
    const { study, context } = options
    this.#options = options
    this.#state = study.create(options.inputs, context)
    this.#format = studyFormat(study, options.text, context.tickSize)
    this.shade = shadeOf(study, this.#state)
  }

  /** Recomputes all bars. */
  full(): void {
    this.#state.full()
  }

  compute(isAppend: boolean): void {
    if (isAppend) this.#state.append()
    else this.#state.replaceLast()
  }

  /** Adds its series; a study with its own pane uses the one with this index, new or not. */
  attach(paneIndex: number): void {
    const { study, context, forming, priceSeries } = this.#options
    const state = this.#state
    // Draws nothing without data: no zeros for a market without volume.
    if (state.provenance === 'no-volume' && !context.hasVolume) return
    this.#pairs.push(...pairsOf(this.#options, { state, format: this.#format, paneIndex: study.pane === 'price' ? 0 : paneIndex }))
    const [first] = this.#pairs
    if (first !== undefined)
      for (const plot of study.plots) if (plot.kind === 'guide') addGuide(first.main, plot.value, this.#options.colours())
    for (const painter of paintersOf(this.#options, state)) {
      priceSeries.attachPrimitive(painter)
      this.#painters.push(painter)
    }
    for (const plot of study.plots) {
      if (plot.kind !== 'band') continue
      const tip = bandTip({ ...this.#options, plot, columns: state.columns })
      this.#tips.push(forming.add(priceSeries.getPane(), tip, 'bottom'))
    }
  }

  detach(): void {
    for (const remove of this.#tips.splice(0)) remove()
    for (const painter of this.#painters.splice(0)) this.#options.priceSeries.detachPrimitive(painter)
    for (const pair of this.#pairs.splice(0)) pair.remove()
  }

  /** Index of its own pane; undefined for a study on the price, and for one with nothing to draw. */
  paneIndex(): number | undefined {
    return this.#options.study.pane === 'own' ? this.#pairs[0]?.main.getPane().paneIndex() : undefined
  }

  draw(window: BarWindow, length: number): void {
    for (const pair of this.#pairs) pair.draw(window, length)
    for (const painter of this.#painters) painter.repaint()
    this.#look = lookOf(this.#options, this.#state)
  }

  advance(fromIndex: number, length: number): void {
    // The price is updated at the same time, and that frame repaints the painters too.
    for (const pair of this.#pairs) pair.advance(fromIndex, length)
    this.#look = lookOf(this.#options, this.#state)
  }

  /** Also false where its painted shapes have changed. */
  touch(fromIndex: number, length: number): boolean {
    return this.#pairs.every((pair) => pair.touch(fromIndex, length)) && lookOf(this.#options, this.#state) === this.#look
  }

  readings(index: number): readonly Reading[] {
    const state = this.#state
    const { study, colours } = this.#options
    return state.provenance === 'no-volume' ? [] : readingsOf({ study, state, format: this.#format, colours: colours() }, index)
  }

  note(index: number): StudyNote | undefined {
    return noteOf(provenanceAt(this.#options.study, this.#state, index), this.#options.isDemo())
  }
}

interface ViewParts {
  readonly state: StudyState
  readonly format: StudyFormat
  readonly paneIndex: number
}

/** Hash of what its painters draw from lists, and the pixel where an open zig zag leg ends. */
function lookOf({ plane, context }: StudyViewOptions, { levels, points }: StudyState): number {
  const openY = points === null ? null : plane.yOf(openPrice(points, context.bars))
  const lists = (levels === null ? 0 : listSignature(levels)) + (points === null ? 0 : listSignature(points))
  return lists + (openY === null || Number.isNaN(openY) ? 0 : Math.round(openY))
}

function pairsOf(
  { chart, forming, study, colours, axis, context, ...options }: StudyViewOptions,
  parts: ViewParts,
): SeriesPair<SeriesType>[] {
  const inputs = resolveInputs(study, options.inputs, context)
  return study.plots.filter(isSeriesPlot).map((plot) => plotPair({ chart, forming, study, plot, colours, axis, context, inputs, ...parts }))
}

function paintersOf({ study, plane, colours, text, context, formingFrom }: StudyViewOptions, state: StudyState): Painter[] {
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

/** Provenance of this bar, if the study has it per bar; else that of the latest one. */
function provenanceAt(study: Study, state: StudyState, index: number): Provenance {
  const plot = study.plots.find((plot) => plot.kind === 'candles')
  const name = plot === undefined ? undefined : plot.provenances[state.columns[plot.provenance]?.[index] ?? Number.NaN]
  return provenances.find((known) => known === name) ?? state.provenance
}

function noteOf(provenance: Provenance, isDemo: boolean): StudyNote | undefined {
  // Daily values follow from the settings.
  if (provenance === 'prices' || provenance === 'volume' || provenance === 'official-periods') return undefined
  const shown = isDemo && provenance === 'aggressor' ? 'aggressor-demo' : provenance
  return {
    text: provenanceText[shown],
    short: provenanceShort[shown],
    isIcon: provenance.startsWith('no-volume'),
  }
}
