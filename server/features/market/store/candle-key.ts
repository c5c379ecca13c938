// The name that a key of stored candles has in a map.
import type { CandleKey } from './candle-store.ts'

export function nameOfKey({ series, source, step }: CandleKey): string {
  return `${series} ${source} ${step}`
}
