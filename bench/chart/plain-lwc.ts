// The bare chart library used plainly: all candles handed over, the last one updated in place, no line of ours.
import { CandlestickSeries, type CandlestickData, type UTCTimestamp } from 'lightweight-charts'
import type { CandleRow } from '#shared/market/live.ts'
import { createChart, movesOf } from './lwc-spy.ts'
import type { MountedChart } from './peer.ts'

export function mount(host: HTMLElement, rows: readonly CandleRow[]): MountedChart {
  const chart = createChart(host, { autoSize: true, timeScale: { timeVisible: true, minBarSpacing: 0.001 } })
  const series = chart.addSeries(CandlestickSeries)
  series.setData(rows.map(candleOf))
  return {
    ...movesOf(chart),
    showMore: (bars) => (chart.timeScale().setVisibleLogicalRange({ from: rows.length - bars, to: rows.length }), true),
    addLines: () => undefined,
    tick: (row) => series.update(candleOf(row)),
  }
}

function candleOf([timeMs, open, high, low, close]: CandleRow): CandlestickData {
  return { time: (timeMs / 1000) as UTCTimestamp, open, high, low, close }
}
