// Follows the chart's view: moves the data window ahead of time while idle, and requests older bars.
import type { ChartRenderer } from './chart-renderer.ts'
import { resting } from './interaction-state.ts'
import { edgeBars, type BarRange, type Motion } from './view-window.ts'

export interface ViewFollower {
  /** Current user interaction. */
  motion(): Motion
  stop(): void
}

export interface ViewFollowerOptions {
  readonly host: HTMLElement
  readonly renderer: ChartRenderer
  /** The visible bars by index. */
  readonly onSeen: (seen: BarRange) => void
  /** The view has come near the first bar. */
  readonly onEdge: (wantedBars: number) => void
  /** The number of bars per group has changed. */
  readonly onJoin: () => void
  /** The window has been moved as far as needed. */
  readonly onFollowed: () => void
}

export function viewFollower({ host, renderer, onSeen, onEdge, onJoin, onFollowed }: ViewFollowerOptions): ViewFollower {
  const { view } = renderer
  const scale = renderer.chart.timeScale()
  const rest = resting(host, () => follow('resting'))
  let request = 0

  function follow(motion: Motion): void {
    request = 0
    if (!renderer.isPainted) return
    if (view.follow(motion)) onJoin()
    onFollowed()
  }

  function onRange(): void {
    const seen = renderer.isPainted ? view.seen() : undefined
    if (seen === undefined) return
    onSeen(seen)
    const wanted = Math.max(edgeBars, (seen.to - seen.from) / 2)
    if (seen.from < wanted) onEdge(wanted)
    // Deferred: the library is still notifying its listeners of the range.
    if (request === 0) request = requestAnimationFrame(() => follow(rest.motion()))
    rest.moved()
  }

  scale.subscribeVisibleLogicalRangeChange(onRange)
  return {
    motion: () => rest.motion(),
    stop() {
      scale.unsubscribeVisibleLogicalRangeChange(onRange)
      cancelAnimationFrame(request)
      rest.stop()
    },
  }
}
