// Everything that is drawn on one chart: price, volume, studies and what stands behind them; built anew when the style changes.
import type { IChartApi, PriceFormatCustom, SeriesType, UTCTimestamp } from 'lightweight-charts'
import type { AxisTimes } from './axis-times.ts'
import type { ChartColours } from './chart-colours.ts'
import type { ChartModel } from './chart-model.ts'
import type { CandleStyle } from './chart-options.ts'
import type { FormingLayer } from './forming/forming-layer.ts'
import { lastPriceMark, type LastPrice } from './forming/last-price-mark.ts'
import type { PaneOverlays } from './forming/pane-overlays.ts'
import { priceSeries } from './price-series.ts'
import type { PriceText } from './price-text.ts'
import { actionMarks, sessionBreaks } from './primitives/ground.ts'
import { planeOf } from './primitives/plane.ts'
import { watermark } from './primitives/watermark.ts'
import type { SeriesPair } from './series-pair.ts'
import type { StudyLayers } from './studies/study-layers.ts'
import type { StudyPicture } from './studies/study-picture.ts'
import type { StudyReading } from './studies/study-reading.ts'
import { groupOf, type BarWindow } from './view-window.ts'
import { volumeSeries } from './volume-series.ts'

export interface LayerNeeds {
  readonly chart: IChartApi
  readonly overlays: PaneOverlays
  readonly forming: FormingLayer
  readonly model: ChartModel
  readonly axis: AxisTimes
  readonly text: PriceText
  readonly format: PriceFormatCustom
  readonly hasVolume: boolean
  readonly colours: () => ChartColours
  readonly window: () => BarWindow
  readonly last: () => LastPrice | undefined
  readonly hasBreaks: () => boolean
  readonly isDemo: () => boolean
  /** Something that had to wait is there, and the legend can tell it. */
  readonly onLate: () => void
}

export interface ChartLayers {
  readonly price: SeriesPair<SeriesType>
  setStudies(picture: StudyPicture | undefined): void
  /** What lies inside the bars has become known, or has changed: volume delta anew, or its last bar. */
  refreshDelta(isAll: boolean): void
  /** The daily candles that pivots read have become known. */
  refreshPivots(): void
  /** Draws the window. */
  draw(): void
  /** Bars from an index on are new or changed. */
  advance(fromIndex: number): void
  /** Studies follow the data also where nothing is drawn. */
  compute(fromIndex: number | 'all'): void
  /** Whether a change from this index on is one of the forming bar alone, for which the library need not paint. */
  canTouch(fromIndex: number): boolean
  /** Takes such a change up for the next repaint of what is above the library's picture, where it is one. */
  touch(fromIndex: number): boolean
  /** The library knows an older forming bar than is shown. */
  isBehind(): boolean
  /** Has the library paint anew in the next frame: what is drawn before its turn comes is still in it. */
  refresh(): void
  readings(index: number): readonly StudyReading[]
  remove(): void
}

/** Of a study's own pane it is 1. */
const priceStretch = 4

export function chartLayers(needs: LayerNeeds, style: CandleStyle): ChartLayers {
  const { chart, forming, model, axis, text, colours, window } = needs
  const timeOf = (index: number) => axis.of(index) as UTCTimestamp
  let studies: StudyLayers | undefined
  const shade = () => studies?.shade
  const { bars } = model.shown
  const groups = { timeOf, groupOf: (index: number) => groupOf(window(), index, bars.length) }
  const mark = lastPriceMark({ yOf: (value) => plane.yOf(value), colours, read: needs.last })
  const [pricePane] = chart.panes()
  // Before the price, so that its line lies below the forming candle.
  const stopMark = pricePane === undefined ? () => undefined : needs.overlays.add(pricePane, mark)
  const price = priceSeries({ chart, forming, style, bars, colours: colours(), format: needs.format, shade, ...groups })
  const volume = needs.hasVolume ? volumeSeries({ chart, forming, bars, colours: colours(), ...groups }) : undefined
  const plane = planeOf(chart, () => price.main, window)
  const ground = {
    plane,
    colours,
    length: () => bars.length,
    actions: () => model.actions,
    hasBreaks: needs.hasBreaks,
    dayAt: (index: number) => model.dayAt(index),
  }
  for (const primitive of [watermark(colours, needs.isDemo), sessionBreaks(ground), actionMarks(ground), mark.room])
    price.main.attachPrimitive(primitive)
  chart.panes()[0]?.setStretchFactor(priceStretch)
  const pairs = () => [price, volume].filter((pair) => pair !== undefined)

  const canTouch = (fromIndex: number) =>
    pairs().every((pair) => pair.canTouch(fromIndex, bars.length)) && studies?.canTouch(fromIndex) !== false

  return {
    price,
    setStudies(picture) {
      const before = shade()
      studies ??= picture?.kit.layersOf({
        chart,
        forming,
        context: model.context,
        colours,
        text,
        timeOf,
        plane,
        priceSeries: () => price.main,
        window,
        length: () => bars.length,
        onLate: needs.onLate,
      })
      studies?.set(picture?.wishes ?? [])
      if (shade() !== before) price.draw(window(), bars.length)
    },
    refreshDelta(isAll) {
      if (isAll) studies?.refresh('volumeDelta')
      else studies?.compute(bars.length - 1)
    },
    refreshPivots: () => studies?.refresh('pivotpoint'),
    draw() {
      for (const pair of pairs()) pair.draw(window(), bars.length)
      studies?.draw()
    },
    advance(fromIndex) {
      for (const pair of pairs()) pair.advance(fromIndex, bars.length)
      studies?.advance(fromIndex)
    },
    compute: (fromIndex) => studies?.compute(fromIndex),
    canTouch,
    touch(fromIndex) {
      if (!canTouch(fromIndex)) return false
      for (const pair of pairs()) pair.touch(bars.length)
      studies?.touch()
      return true
    },
    isBehind: () => pairs().some((pair) => pair.isBehind()) || studies?.isBehind() === true,
    refresh: () => price.refresh(),
    readings: (index) => studies?.readings(index) ?? [],
    remove() {
      studies?.remove()
      for (const pair of pairs()) pair.remove()
      stopMark()
    },
  }
}
