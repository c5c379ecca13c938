// Follows the view of a chart: its window moves along, in good time at rest, and older bars are asked for.
import type { IChartApi } from 'lightweight-charts'
import { resting } from './resting.ts'
import { edgeBars, type Motion } from './view-window.ts'
import type { WindowedView } from './windowed-view.ts'

export interface ViewFollower {
  /** What is being done with the chart right now. */
  motion(): Motion
  stop(): void
}

export interface ViewFollowerNeeds {
  readonly host: HTMLElement
  readonly chart: IChartApi
  readonly view: WindowedView
  readonly isPainted: () => boolean
  /** The first bar that can be seen. */
  readonly onSeen: (fromIndex: number) => void
  /** The view came near to the first bar. */
  readonly onEdge: (wantedBars: number) => void
  /** Bars are drawn as one that were not, or the other way round. */
  readonly onJoin: () => void
  /** The window has moved along, as far as it had to. */
  readonly onFollowed: () => void
}

export function viewFollower({ host, chart, view, isPainted, onSeen, onEdge, onJoin, onFollowed }: ViewFollowerNeeds): ViewFollower {
  const scale = chart.timeScale()
  const rest = resting(host, () => follow('resting'))
  let request = 0

  function follow(motion: Motion): void {
    request = 0
    if (!isPainted()) return
    if (view.follow(motion)) onJoin()
    onFollowed()
  }

  function onRange(): void {
    const seen = isPainted() ? view.seen() : undefined
    if (seen === undefined) return
    onSeen(seen.from)
    const wanted = Math.max(edgeBars, (seen.to - seen.from) / 2)
    if (seen.from < wanted) onEdge(wanted)
    // Not while the library is still telling everybody about the range.
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
