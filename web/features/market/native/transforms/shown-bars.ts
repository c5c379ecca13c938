// The bars that a chart style draws: the market's own, or others made of them.
import type { BarColumns } from '#shared/market/indicators/columns.ts'

export interface ShownBars {
  readonly bars: BarColumns
  /** Makes all bars anew. */
  full(): void
  /** After bars were added or the last one changed: makes what depends on them and returns the first index that changed. */
  advance(): number
  /** Index of the shown bar that belongs to a moment, or -1. */
  readonly indexAt: (timeMs: number) => number
}
