// Context of one chart in the grid.
import { isPlain } from '#shared/workspace/screen.ts'
import type { Cell } from '#web/features/chart/cell-context.ts'
import type { ChartGrid } from './use-chart-grid.ts'

/** Undefined for a single chart without its own settings. */
export function gridCell({ screen, choose }: ChartGrid, at: number): Cell | undefined {
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
