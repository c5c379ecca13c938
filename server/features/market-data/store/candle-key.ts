// The map key of a candle key.
import type { CandleKey } from './candle-store.ts'

export function nameOfKey({ series, source, step }: CandleKey): string {
  return `${series} ${source} ${step}`
}
