// What a chart of the grid is told of itself.
import { isPlain } from '#shared/workspace/screen-rules.ts'
import type { Cell } from '#web/features/market/cell-context.ts'
import type { ChartGrid } from './use-chart-grid.ts'

/** Undefined for a chart alone without choices of its own. */
export function cellOf({ screen, choose }: ChartGrid, at: number): Cell | undefined {
  const { engine, style, scale } = screen.charts[at] ?? {}
  if (isPlain(screen)) return undefined
  return {
    engine,
    style,
    scale,
    isActive: at === screen.active,
    hasOthers: screen.grid > 1,
    isCrosshairLinked: screen.areCrosshairsLinked && screen.grid > 1,
    choose: (choices) => choose(at, choices),
  }
}
