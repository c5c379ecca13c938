// The candles, bars or line of the price itself, in the style that the person chose.
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  LineSeries,
  type CandlestickSeriesPartialOptions,
  type IChartApi,
  type PriceFormatCustom,
  type SeriesType,
  type Time,
} from 'lightweight-charts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import { faded, type ChartColours } from './chart-colours.ts'
import type { CandleStyle } from './chart-options.ts'
import type { FormingLayer } from './forming/forming-layer.ts'
import type { Shade } from './shade.ts'
import { seriesPair, type SeriesPair } from './series-pair.ts'
import type { BarRange } from './view-window.ts'

export interface PriceSeriesNeeds {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly style: CandleStyle
  readonly bars: BarColumns
  readonly colours: ChartColours
  readonly format: PriceFormatCustom
  readonly timeOf: (index: number) => Time
  /** The bars that are drawn as one with this bar, which is the last of them. */
  readonly groupOf: (index: number) => BarRange
  /** How a study colours the candles, if one does. */
  readonly shade: () => Shade | undefined
}

export function priceSeries(needs: PriceSeriesNeeds): SeriesPair<SeriesType> {
  const { chart, forming, style, bars, colours, format, timeOf } = needs
  const common = { priceFormat: format, lastValueVisible: false, priceLineVisible: false, paneIndex: 0 } as const
  const base = { chart, forming, paneIndex: 0 } as const
  const pointOf = (index: number) => ({ time: timeOf(index), value: bars.close[index] as number })
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
          const item = ohlcOf(needs, index)
          const color = shadeOf(needs, index)?.border
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
        const item = ohlcOf(needs, index)
        const body = bodyOf(needs, index, item)
        return body === undefined ? item : { ...item, ...body }
      },
    }),
  )
}

/** The library's types differ by style; the chart draws, advances and removes all of them alike. */
function widened<T extends SeriesType>(pair: SeriesPair<T>): SeriesPair<SeriesType> {
  return pair
}

interface Candle {
  readonly time: Time
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

function ohlcOf({ bars, timeOf, groupOf }: PriceSeriesNeeds, index: number): Candle {
  const { from, to } = groupOf(index)
  let [high, low] = [bars.high[from] as number, bars.low[from] as number]
  for (let at = from + 1; at < to; at += 1) {
    high = Math.max(high, bars.high[at] as number)
    low = Math.min(low, bars.low[at] as number)
  }
  return { time: timeOf(index), open: bars.open[from] as number, high, low, close: bars.close[index] as number }
}

interface Body {
  readonly color: string
  readonly borderColor: string
  readonly wickColor: string
}

/** Rising candles are hollow and falling ones filled, so that the direction can be seen without colour. */
function bodyColours({ up, down }: ChartColours): CandlestickSeriesPartialOptions {
  return { upColor: faded(up, 0), borderUpColor: up, wickUpColor: up, downColor: down, borderDownColor: down, wickDownColor: down }
}

/** A body unlike the others of the series; thousands of objects are spared where there is none. */
function bodyOf(needs: PriceSeriesNeeds, index: number, { open, close }: Candle): Body | undefined {
  const { bars, colours, style, groupOf } = needs
  const shade = shadeOf(needs, index)
  if (shade !== undefined) return { color: shade.fill, borderColor: shade.border, wickColor: shade.border }
  if (style !== 'hollow') return undefined
  const { from } = groupOf(index)
  const before = from > 0 ? (bars.close[from - 1] as number) : open
  // In this style the colour tells the change since the close before, and the body that of the candle.
  const colour = close >= before ? colours.up : colours.down
  return { color: close >= open ? faded(colour, 0) : colour, borderColor: colour, wickColor: colour }
}

function shadeOf({ shade, colours }: PriceSeriesNeeds, index: number): { fill: string; border: string } | undefined {
  const given = shade()
  const direction = given?.directionAt(index)
  if (given === undefined || direction === undefined || Number.isNaN(direction)) return undefined
  const border = direction === 0 ? colours.text3 : direction < 0 ? colours.down : colours.up
  return { border, fill: faded(border, given.alphaAt(index)) }
}
