// Displayed bars of a chart style: the market's own, or derived ones.
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'

export interface ShownBars {
  readonly bars: BarColumns
  /** Recomputes all bars. */
  full(): void
  /** After bars were added or the last one changed: updates what depends on them and returns the first changed index. */
  advance(): number
  /** Index of the displayed bar at a time, or -1. */
  readonly indexAt: (timeMs: number) => number
}
