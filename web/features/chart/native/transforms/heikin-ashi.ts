// Heikin Ashi: averaged candles that show a trend more clearly; their prices were never traded.
import { createBarColumns, type BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { makeRoom, type BarStore } from '../bar-store.ts'
import type { ShownBars } from './display-bars.ts'

/**
 * close = (O + H + L + C) / 4; open = mean of the previous open and close, at first (O + C) / 2; high and low include
 * both. Times and volumes are the market's.
 */
export function heikinAshi(store: BarStore): ShownBars {
  const made = createBarColumns(1)
  let closed = 0
  const run = (from: number) => {
    const { bars } = store
    made.length = Math.min(from, bars.length)
    makeRoom(made, bars.length)
    for (let index = from; index < bars.length; index += 1) writeBar(bars, made, index)
    made.length = bars.length
    closed = Math.max(0, bars.length - 1)
    return from
  }
  return { bars: made, full: () => void run(0), advance: () => run(closed), indexAt: store.indexAt }
}

function writeBar(bars: BarColumns, made: BarColumns, index: number): void {
  const [open, high, low, close] = [bars.open[index], bars.high[index], bars.low[index], bars.close[index]] as [
    number,
    number,
    number,
    number,
  ]
  const madeClose = (open + high + low + close) / 4
  const madeOpen = index === 0 ? (open + close) / 2 : ((made.open[index - 1] as number) + (made.close[index - 1] as number)) / 2
  made.timeMs[index] = bars.timeMs[index] as number
  made.open[index] = madeOpen
  made.close[index] = madeClose
  made.high[index] = Math.max(high, madeOpen, madeClose)
  made.low[index] = Math.min(low, madeOpen, madeClose)
  made.volume[index] = bars.volume[index] as number
  made.takerBuyVolume[index] = bars.takerBuyVolume[index] as number
}
