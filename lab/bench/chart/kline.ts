// The second-best chart library, klinecharts, with its defaults.
import { init, type KLineData } from 'klinecharts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { MountedChart, TrendLine } from './peer.ts'

export function mount(host: HTMLElement, rows: readonly CandleRow[]): MountedChart {
  const chart = init(host, { layout: { barSpaceLimit: { min: 0.001, max: 50 } } })
  if (chart === null) throw new Error('klinecharts could not start')
  let update: ((bar: KLineData) => void) | undefined
  chart.setSymbol({ ticker: 'BENCH', pricePrecision: 2, volumePrecision: 0 })
  chart.setPeriod({ type: 'minute', span: 1 })
  chart.setDataLoader({
    getBars: ({ callback }) => callback(rows.map(barOf), false),
    subscribeBar: ({ callback }) => void (update = callback),
  })
  return {
    framesPerPicture: 2,
    tick: (row) => update?.(barOf(row)),
    pan: (bars) => chart.scrollByDistance(bars * chart.getBarSpace().bar),
    setBarSpace: (px) => chart.setBarSpace(px),
    showMore: (bars) => (chart.setBarSpace((0.98 * (chart.getSize('candle_pane', 'main')?.width ?? 0)) / bars), true),
    addLines(lines) {
      const points = ({ from, to }: TrendLine) => [from, to].map(({ timeMs, price }) => ({ timestamp: timeMs, value: price }))
      chart.createOverlay(lines.map((line) => ({ name: 'segment', points: points(line) })))
    },
    addStudies() {
      chart.createIndicator({ name: 'EMA', calcParams: [20] }, true)
      chart.createIndicator({ name: 'RSI', calcParams: [14] })
      chart.createIndicator({ name: 'MACD', calcParams: [12, 26, 9] })
      return Promise.resolve()
    },
    visible() {
      const { from, to } = chart.getVisibleRange()
      return to - from
    },
  }
}

function barOf([timestamp, open, high, low, close]: CandleRow): KLineData {
  return { timestamp, open, high, low, close }
}
