// The bare chart library with plain usage: gets all candles, updates the last one in place, no code of ours except the study values.
import { CandlestickSeries, HistogramSeries, LineSeries, type CandlestickData, type IChartApi, type UTCTimestamp } from 'lightweight-charts'
import type { StudyContext } from '#shared/indicators/lib/study.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { barStore } from '#web/features/chart/native/bar-store.ts'
import { createChart, movesOf } from './lwc-spy.ts'
import type { MountedChart } from './peer.ts'

export function mount(host: HTMLElement, rows: readonly CandleRow[]): MountedChart {
  const chart = createChart(host, { autoSize: true, timeScale: { timeVisible: true, minBarSpacing: 0.001 } })
  const series = chart.addSeries(CandlestickSeries)
  series.setData(rows.map(candleOf))
  let tickStudies: ((row: CandleRow) => void) | undefined
  return {
    ...movesOf(chart),
    showMore: (bars) => (chart.timeScale().setVisibleLogicalRange({ from: rows.length - bars, to: rows.length }), true),
    addLines: () => undefined,
    addStudies: async () => void (tickStudies = await drawStudies(chart, rows)),
    tick(row) {
      series.update(candleOf(row))
      tickStudies?.(row)
    },
  }
}

const lines = [
  { study: 'ema', column: 'ema', pane: 0, kind: LineSeries },
  { study: 'rsi', column: 'rsi', pane: 1, kind: LineSeries },
  { study: 'macd', column: 'macd', pane: 2, kind: LineSeries },
  { study: 'macd', column: 'signal', pane: 2, kind: LineSeries },
  { study: 'macd', column: 'histogram', pane: 2, kind: HistogramSeries },
] as const

/** The values come from our own studies, so that only the drawing is compared. */
async function drawStudies(chart: IChartApi, rows: readonly CandleRow[]): Promise<(row: CandleRow) => void> {
  const { studies } = await import('#shared/indicators/studies.ts')
  const store = barStore()
  store.reset(rows)
  const context: StudyContext = { bars: store.bars, timeframe: '1', sessionClass: 'nse-index', tickSize: 0.05, hasVolume: false }
  const states = { ema: studies.ema.create({}, context), rsi: studies.rsi.create({}, context), macd: studies.macd.create({}, context) }
  for (const state of Object.values(states)) state.full()
  const pointOf = (study: keyof typeof states, column: string, index: number) => {
    const time = ((store.bars.timeMs[index] as number) / 1000) as UTCTimestamp
    const value = states[study].columns[column]?.[index] ?? Number.NaN
    return Number.isNaN(value) ? { time } : { time, value }
  }
  const drawn = lines.map(({ study, column, pane, kind }) => {
    const series = chart.addSeries(kind, {}, pane)
    series.setData(rows.map((_, index) => pointOf(study, column, index)))
    return () => series.update(pointOf(study, column, store.bars.length - 1))
  })
  return (row) => {
    store.merge([row])
    for (const state of Object.values(states)) state.replaceLast()
    for (const update of drawn) update()
  }
}

function candleOf([timeMs, open, high, low, close]: CandleRow): CandlestickData {
  return { time: (timeMs / 1000) as UTCTimestamp, open, high, low, close }
}
