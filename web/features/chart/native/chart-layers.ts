// Everything drawn on one chart: price, volume, studies, background. Rebuilt inside when the style changes.
import type { IChartApi, ISeriesPrimitive, PriceFormatCustom, SeriesType } from 'lightweight-charts'
import type { AxisTimes } from './axis-times.ts'
import type { BarLayer } from './bar-layer.ts'
import type { CandleTint } from './candle-tint.ts'
import type { ChartModel } from './chart-model.ts'
import type { ChartState } from './chart-options.ts'
import { formingLayer, type FormingLayer } from './live-bar/overlay.ts'
import { lastPriceMark, type LastPriceReader } from './primitives/last-price-mark.ts'
import type { PaneOverlays } from './live-bar/pane-overlays.ts'
import { priceSeries, volumeSeries } from './price-series.ts'
import type { PriceText } from '#web/features/market-data/price-text.ts'
import { actionMarks, missingMarks, sessionBreaks } from './primitives/session-breaks.ts'
import { planeOf, type Plane } from './primitives/coordinates.ts'
import { watermark } from './primitives/watermark.ts'
import type { SeriesPair } from './series-pair.ts'
import type { StudyLayers } from './studies/study-layers.ts'
import type { StudyPicture } from './studies/study-setup.ts'
import type { StudyReading } from './studies/legend-values.ts'
import type { BarWindow } from './view-window.ts'

export interface LayerOptions {
  readonly chart: IChartApi
  readonly overlays: PaneOverlays
  readonly model: ChartModel
  readonly axis: AxisTimes
  /** Read again whenever something is painted. */
  readonly state: ChartState
  readonly text: PriceText
  readonly format: PriceFormatCustom
  /** Prices that the price scale labels. */
  readonly ticks: () => readonly number[]
  readonly hasVolume: boolean
  /** True where a bar is a date without a time of day. */
  readonly isDate: boolean
  readonly last: LastPriceReader
  /** Deferred work is done and the legend can show it. */
  readonly onLate: () => void
}

/** A study's own pane has 1. */
const priceStretch = 4

export class ChartLayers implements BarLayer {
  readonly #options: LayerOptions
  readonly #forming: FormingLayer
  readonly #tint: CandleTint = { shade: undefined }
  readonly #primitives: ISeriesPrimitive[] = []
  #picture: StudyPicture | undefined
  #base: BaseLayers
  #studies: StudyLayers | undefined
  /** All of them, from the bottom up. */
  #all: readonly BarLayer[]

  constructor(options: LayerOptions, picture: StudyPicture | undefined) {
    this.#options = options
    this.#forming = formingLayer(options.chart, options.overlays)
    this.#base = baseLayers(options, this.#forming, this.#tint)
    this.#all = this.#base.pairs
    this.setStudies(picture)
  }

  /** The price, also after a change of style. */
  get price(): SeriesPair<SeriesType> {
    return this.#base.price
  }

  /** Attaches it to the price, and again whenever the style changes. */
  addPrimitive(primitive: ISeriesPrimitive): void {
    this.#primitives.push(primitive)
    this.price.main.attachPrimitive(primitive)
  }

  /** After the series have been removed for a change of style or colours; draws nothing yet. */
  rebuild(): void {
    this.#base = baseLayers(this.#options, this.#forming, this.#tint)
    this.#all = this.#base.pairs
    this.setStudies(this.#picture)
    for (const primitive of this.#primitives) this.price.main.attachPrimitive(primitive)
  }

  remove(): void {
    this.#studies?.remove()
    this.#studies = undefined
    this.#tint.shade = undefined
    this.#base.remove()
  }

  setStudies(picture: StudyPicture | undefined): void {
    this.#picture = picture
    this.#studies ??= picture && this.#studiesOf(picture)
    this.#studies?.set(picture?.configs ?? [])
    this.#all = this.#studies === undefined ? this.#base.pairs : [...this.#base.pairs, this.#studies]
    const shade = this.#studies?.shade
    if (shade === this.#tint.shade) return
    this.#tint.shade = shade
    this.price.draw(this.#options.axis.window, this.#options.model.shown.bars.length)
  }

  draw(window: BarWindow, length: number): void {
    for (const layer of this.#all) layer.draw(window, length)
  }

  advance(fromIndex: number, length: number): void {
    for (const layer of this.#all) layer.advance(fromIndex, length)
  }

  touch(fromIndex: number, length: number): boolean {
    return this.#all.every((layer) => layer.touch(fromIndex, length))
  }

  /** Updates the study values, also where nothing is drawn. */
  compute(fromIndex: number | 'all'): void {
    this.#studies?.compute(fromIndex)
  }

  /** Intrabar data has loaded or changed: recomputes volume delta, or only its last bar. */
  refreshDelta(isAll: boolean): void {
    if (isAll) this.#studies?.refresh('volumeDelta')
    else this.#studies?.compute(this.#options.model.shown.bars.length - 1)
  }

  /** The daily candles for pivots have loaded. */
  refreshPivots(): void {
    this.#studies?.refresh('pivotpoint')
  }

  /** Has the library repaint in the next frame; changes made before then are included. */
  refresh(): void {
    this.price.refresh()
  }

  readings(index: number): readonly StudyReading[] {
    return this.#studies?.readings(index) ?? []
  }

  #studiesOf({ kit }: StudyPicture): StudyLayers {
    const { chart, model, axis, state, text, onLate } = this.#options
    return kit.layersOf({
      chart,
      forming: this.#forming,
      context: model.context,
      colours: () => state.colours,
      isDemo: () => isDemo(state),
      text,
      axis,
      plane: this.#base.plane,
      priceSeries: this.price.main,
      bars: model.shown.bars,
      onLate,
    })
  }
}

const isDemo = ({ condition }: ChartState): boolean => condition?.label?.mode === 'demo'

/** What every chart has, in the user's style. */
interface BaseLayers {
  readonly price: SeriesPair<SeriesType>
  readonly pairs: readonly BarLayer[]
  readonly plane: Plane
  remove(): void
}

function baseLayers(options: LayerOptions, forming: FormingLayer, tint: CandleTint): BaseLayers {
  const { chart, overlays, model, axis, state, format, isDate } = options
  const { bars } = model.shown
  const common = { chart, forming, bars, axis, colours: state.colours }
  const price = priceSeries({ ...common, style: state.options.style, format, tint })
  const volume = options.hasVolume ? volumeSeries(common) : undefined
  const plane = planeOf(chart, price.main, axis)
  const colours = () => state.colours
  const mark = lastPriceMark({ yOf: (value) => price.main.priceToCoordinate(value), colours, last: options.last, ticks: options.ticks })
  const [pricePane] = chart.panes()
  // At the bottom: its line lies below the forming candle.
  const stopMark = pricePane === undefined ? () => undefined : overlays.add(pricePane, mark, 'bottom')
  const background = {
    plane,
    colours,
    length: () => bars.length,
    actions: () => model.actions,
    missing: () => model.missing,
    hasBreaks: () => state.options.hasBreaks && !isDate,
    dayAt: (index: number) => model.dayAt(index),
  }
  const marks = [sessionBreaks(background), missingMarks(background), actionMarks(background)]
  for (const primitive of [watermark(colours, () => isDemo(state)), ...marks, mark.room]) price.main.attachPrimitive(primitive)
  pricePane?.setStretchFactor(priceStretch)
  return {
    price,
    pairs: volume === undefined ? [price] : [price, volume],
    plane,
    remove() {
      price.remove()
      volume?.remove()
      stopMark()
    },
  }
}
