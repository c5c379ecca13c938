// The volume as bars at the foot of the price.
import { HistogramSeries, type IChartApi, type Time } from 'lightweight-charts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import { faded, type ChartColours } from './chart-colours.ts'
import type { FormingLayer } from './forming/forming-layer.ts'
import { volumeText } from './price-text.ts'
import { seriesPair, type SeriesPair } from './series-pair.ts'
import type { BarRange } from './view-window.ts'
import { volumeOf } from './volume-of.ts'

const scaleId = 'volume'

export function volumeSeries(needs: {
  readonly chart: IChartApi
  readonly forming: FormingLayer
  readonly bars: BarColumns
  readonly colours: ChartColours
  readonly timeOf: (index: number) => Time
  /** The bars that are drawn as one with this bar, which is the last of them. */
  readonly groupOf: (index: number) => BarRange
}): SeriesPair<'Histogram'> {
  const { chart, forming, bars, colours, timeOf, groupOf } = needs
  const [up, down] = [faded(colours.up, 0.32), faded(colours.down, 0.32)]
  const pair = seriesPair({
    chart,
    forming,
    definition: HistogramSeries,
    options: {
      priceScaleId: scaleId,
      lastValueVisible: false,
      priceLineVisible: false,
      priceFormat: { type: 'custom', formatter: volumeText, minMove: 0.01 },
    },
    paneIndex: 0,
    itemOf: (index) => {
      const { from, to } = groupOf(index)
      const value = volumeOf(bars, from, to)
      if (Number.isNaN(value)) return { time: timeOf(index) }
      return { time: timeOf(index), value, color: (bars.close[index] as number) < (bars.open[from] as number) ? down : up }
    },
  })
  pair.main.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  return pair
}
