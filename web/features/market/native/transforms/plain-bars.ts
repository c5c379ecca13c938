// The market's own candles.
import type { BarStore } from '../bar-store.ts'
import type { ShownBars } from './shown-bars.ts'

export function plainBars(store: BarStore): ShownBars {
  let closed = 0
  return {
    bars: store.bars,
    full: () => void (closed = Math.max(0, store.bars.length - 1)),
    advance() {
      const from = closed
      closed = Math.max(0, store.bars.length - 1)
      return from
    },
    indexAt: store.indexAt,
  }
}
