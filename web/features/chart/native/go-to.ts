// Moves the view to a time, loading history until there.
import { binarySearch } from '#shared/base/binary-search.ts'
import type { ChartFeed } from './chart-feed.ts'
import type { ChartModel } from './chart-model.ts'
import type { WindowedView } from './windowed-view.ts'

/** `starts-later` where the history begins after that time, `too-far` where it would take too many bars. */
export type GoToOutcome = 'shown' | 'starts-later' | 'too-far' | 'failed'

export interface GoToDeps {
  readonly feed: Pick<ChartFeed, 'reach' | 'isStopped'>
  readonly model: Pick<ChartModel, 'shown'>
  readonly view: Pick<WindowedView, 'centre'>
}

/** Bars that one request may load: years of hours, months of minutes. */
export const mostBars = 60_000

export async function goTo(timeMs: number, { feed, model, view }: GoToDeps): Promise<GoToOutcome> {
  const isReached = await feed.reach(timeMs, mostBars)
  // The chart shows another series by now.
  if (feed.isStopped) return 'failed'
  const { bars } = model.shown
  const firstMs = bars.timeMs[0]
  if (firstMs === undefined || bars.length === 0) return 'failed'
  view.centre(binarySearch(bars.length, (at) => (bars.timeMs[at] as number) >= timeMs))
  if (firstMs <= timeMs) return 'shown'
  if (!isReached) return bars.length >= mostBars ? 'too-far' : 'failed'
  return 'starts-later'
}
