// Series of the price pane: the price in the user's style, and volume as a histogram at the bottom.
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  type CandlestickSeriesPartialOptions,
  type IChartApi,
  type PriceFormatCustom,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { AxisTimes } from './axis-times.ts'
import { volumeOf } from './bar-store.ts'
import type { CandleTint } from './candle-tint.ts'
import { faded, type ChartColours } from './chart-colours.ts'
import type { CandleStyle } from './chart-options.ts'
import type { FormingLayer } from './live-bar/overlay.ts'
import { volumeText } from '#web/features/market-data/price-text.ts'
import { seriesPair, type SeriesPair } from './series-pair.ts'

export interface BarSeriesOptions {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly bars: BarColumns
  readonly axis: AxisTimes
  readonly colours: ChartColours
}

export interface PriceSeriesOptions extends BarSeriesOptions {
  readonly style: CandleStyle
  readonly format: PriceFormatCustom
  readonly tint: CandleTint
}

export function priceSeries(deps: PriceSeriesOptions): SeriesPair<SeriesType> {
  const { chart, forming, style, bars, axis, colours, format } = deps
  const common = { priceFormat: format, lastValueVisible: false, priceLineVisible: false, paneIndex: 0 } as const
  const base = { chart, forming, paneIndex: 0 } as const
  const pointOf = (index: number) => ({ time: axis.of(index) as UTCTimestamp, value: bars.close[index] as number })
  if (style === 'line')
    return widened(
      seriesPair({
        ...base,
        definition: LineSeries,
        options: { ...common, color: colours.accent, lineWidth: 2 },
        itemOf: pointOf,
      }),
    )
  if (style === 'area') {
    const options = {
      ...common,
      lineColor: colours.accent,
      lineWidth: 2,
      topColor: faded(colours.accent, 0.28),
      bottomColor: faded(colours.accent, 0.02),
    } as const
    return widened(seriesPair({ ...base, definition: AreaSeries, options, itemOf: pointOf }))
  }
  if (style === 'bars') {
    const options = { ...common, upColor: colours.up, downColor: colours.down, thinBars: false }
    return widened(
      seriesPair({
        ...base,
        definition: BarSeries,
        options,
        itemOf(index) {
          const item = ohlcOf(deps, index)
          const color = shadeOf(deps, index)?.border
          return color === undefined ? item : { ...item, color }
        },
      }),
    )
  }
  return widened(
    seriesPair({
      ...base,
      definition: CandlestickSeries,
      options: { ...common, ...bodyColours(colours) },
      itemOf(index) {
        const item = ohlcOf(deps, index)
        const body = bodyOf(deps, index, item)
        return body === undefined ? item : { ...item, ...body }
      },
    }),
  )
}

export function volumeSeries({ chart, forming, bars, axis, colours }: BarSeriesOptions): SeriesPair<'Histogram'> {
  const [up, down] = [faded(colours.up, 0.32), faded(colours.down, 0.32)]
  const pair = seriesPair({
    chart,
    forming,
    definition: HistogramSeries,
    options: {
      priceScaleId: 'volume',
      lastValueVisible: false,
      priceLineVisible: false,
      priceFormat: { type: 'custom', formatter: volumeText, minMove: 0.01 },
    },
    paneIndex: 0,
    itemOf: (index) => {
      const from = axis.firstOf(index)
      const time = axis.of(index) as UTCTimestamp
      const value = volumeOf(bars, from, index + 1)
      if (Number.isNaN(value)) return { time }
      return { time, value, color: (bars.close[index] as number) < (bars.open[from] as number) ? down : up }
    },
  })
  pair.main.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  return pair
}

/** The library's types differ by style; callers treat all styles alike. */
function widened<T extends SeriesType>(pair: SeriesPair<T>): SeriesPair<SeriesType> {
  return pair
}

interface Candle {
  readonly time: UTCTimestamp
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** Of the group that ends with this bar. */
function ohlcOf({ bars, axis }: PriceSeriesOptions, index: number): Candle {
  const from = axis.firstOf(index)
  let high = bars.high[from] as number
  let low = bars.low[from] as number
  for (let at = from + 1; at <= index; at += 1) {
    high = Math.max(high, bars.high[at] as number)
    low = Math.min(low, bars.low[at] as number)
  }
  return { time: axis.of(index) as UTCTimestamp, open: bars.open[from] as number, high, low, close: bars.close[index] as number }
}

interface Body {
  readonly color: string
  readonly borderColor: string
  readonly wickColor: string
}

/** Rising candles are hollow and falling ones filled, so that the direction is visible without colour. */
function bodyColours({ up, down }: ChartColours): CandlestickSeriesPartialOptions {
  return { upColor: faded(up, 0), borderUpColor: up, wickUpColor: up, downColor: down, borderDownColor: down, wickDownColor: down }
}

/** Set only for a body that differs from the series options; avoids thousands of objects. */
function bodyOf(deps: PriceSeriesOptions, index: number, { open, close }: Candle): Body | undefined {
  const { bars, axis, colours, style } = deps
  const shade = shadeOf(deps, index)
  if (shade !== undefined) return { color: shade.fill, borderColor: shade.border, wickColor: shade.border }
  if (style !== 'hollow') return undefined
  const from = axis.firstOf(index)
  const before = from > 0 ? (bars.close[from - 1] as number) : open
  // In this style the colour shows the change since the previous close, and the body that of the candle.
  const colour = close >= before ? colours.up : colours.down
  return { color: close >= open ? faded(colour, 0) : colour, borderColor: colour, wickColor: colour }
}

function shadeOf({ tint: { shade }, colours }: PriceSeriesOptions, index: number): { fill: string; border: string } | undefined {
  const direction = shade?.directionAt(index)
  if (shade === undefined || direction === undefined || Number.isNaN(direction)) return undefined
  const border = direction === 0 ? colours.text3 : direction < 0 ? colours.down : colours.up
  return { border, fill: faded(border, shade.alphaAt(index)) }
}
