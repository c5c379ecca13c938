// Everything that is drawn on one chart: price, volume, studies and what stands behind them; built anew when the style changes.
import { LineStyle, type IChartApi, type IPriceLine, type PriceFormatCustom, type SeriesType, type UTCTimestamp } from 'lightweight-charts'
import type { AxisTimes } from './axis-times.ts'
import { faded, type ChartColours } from './chart-colours.ts'
import type { ChartModel } from './chart-model.ts'
import type { CandleStyle } from './chart-options.ts'
import { priceSeries } from './price-series.ts'
import type { PriceText } from './price-text.ts'
import { actionMarks, sessionBreaks } from './primitives/ground.ts'
import { lastPriceLabel, type LastPrice, type LastPriceLabel } from './primitives/last-price.ts'
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
  /** Draws the window. */
  draw(): void
  /** Bars from an index on are new or changed. */
  advance(fromIndex: number): void
  /** Studies follow the data also where nothing is drawn. */
  compute(fromIndex: number | 'all'): void
  /** Has the library plan its next picture now: what is drawn before its turn comes is still in it. */
  plan(): void
  /** The countdown moved on. */
  repaintLabel(): void
  readings(index: number): readonly StudyReading[]
  remove(): void
}

/** Of a study's own pane it is 1. */
const priceStretch = 4

export function chartLayers(needs: LayerNeeds, style: CandleStyle): ChartLayers {
  const { chart, model, axis, text, colours, window } = needs
  const timeOf = (index: number) => axis.of(index) as UTCTimestamp
  let studies: StudyLayers | undefined
  const shade = () => studies?.shade
  const { bars } = model.shown
  const groups = { timeOf, groupOf: (index: number) => groupOf(window(), index, bars.length) }
  const price = priceSeries({ chart, style, bars, colours: colours(), format: needs.format, shade, ...groups })
  const volume = needs.hasVolume ? volumeSeries({ chart, bars, colours: colours(), ...groups }) : undefined
  const plane = planeOf(chart, () => price.main, window)
  const ground = {
    plane,
    colours,
    length: () => bars.length,
    actions: () => model.actions,
    dayIds: () => (needs.hasBreaks() ? model.dayIds : null),
  }
  const label: LastPriceLabel = lastPriceLabel(plane, colours, needs.last)
  for (const primitive of [watermark(colours, needs.isDemo), sessionBreaks(ground), actionMarks(ground), label])
    price.main.attachPrimitive(primitive)
  chart.panes()[0]?.setStretchFactor(priceStretch)
  let line: IPriceLine | undefined

  const pairs = () => [price, volume].filter((pair) => pair !== undefined)

  function drawLine(): void {
    const last = needs.last()
    if (last === undefined) return
    const options = {
      price: last.price,
      color: faded(last.isUp ? colours().up : colours().down, 0.8),
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      axisLabelVisible: false,
      title: '',
    } as const
    if (line === undefined) line = price.main.createPriceLine(options)
    else line.applyOptions(options)
  }

  return {
    price,
    setStudies(picture) {
      const before = shade()
      studies ??= picture?.kit.layersOf({
        chart,
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
    draw() {
      for (const pair of pairs()) pair.draw(window(), bars.length)
      studies?.draw()
      drawLine()
    },
    advance(fromIndex) {
      for (const pair of pairs()) pair.advance(fromIndex, bars.length)
      studies?.advance(fromIndex)
      drawLine()
    },
    compute: (fromIndex) => studies?.compute(fromIndex),
    plan: () => line?.applyOptions({}),
    repaintLabel: () => label.repaint(),
    readings: (index) => studies?.readings(index) ?? [],
    remove() {
      studies?.remove()
      for (const pair of pairs()) pair.remove()
    },
  }
}
