// What the next series shows of the place that the one before showed.
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { BarRange } from './view-window.ts'

/** What a chart showed last. */
export interface SeenPlace extends TimeSpan {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Width of the view. */
  readonly bars: number
  /** Set if the newest bar is visible: the view then follows newer bars. */
  readonly newest: { readonly timeMs: number; /** Bars from it to the right edge. */ readonly gap: number } | undefined
}

export interface NextSeries {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Position of a time among its bars, fractional. */
  readonly indexOf: (timeMs: number) => number
  /** Index of its newest bar. */
  readonly newest: number
  /** Width of the plot; 0 where it is not laid out. */
  readonly widthPx: number
}

/** A timeframe must not make bars so wide or narrow that a chart cannot be read; the user may. */
const [narrowestPx, widestPx] = [2, 12]
/** Room to the right of the newest bar, where it is not that of the user. */
export const roomBars = 6

export const isSameSeries = (one: Pick<SeenPlace, 'slug' | 'timeframe'>, other: Pick<SeenPlace, 'slug' | 'timeframe'>): boolean =>
  one.slug === other.slug && one.timeframe === other.timeframe

/**
 * The same series: the very same view. Another timeframe: the same right edge and span of time. Another instrument: the same
 * right edge and number of bars. Undefined where the series has no bars there.
 */
export function nextRange(seen: SeenPlace, next: NextSeries): BarRange | undefined {
  const { indexOf, newest } = next
  const [from, to] = [indexOf(seen.fromMs), indexOf(seen.toMs)]
  if (isSameSeries(seen, next)) {
    const added = seen.newest === undefined ? 0 : newest - indexOf(seen.newest.timeMs)
    return { from: from + added, to: to + added }
  }
  if (seen.newest !== undefined) {
    // The room to its right keeps its share of the width.
    const share = Math.min(0.9, seen.newest.gap / seen.bars)
    const bars = widthOf(seen, next, (indexOf(seen.newest.timeMs) - from) / (1 - share))
    return { from: newest - bars * (1 - share), to: newest + bars * share }
  }
  const end = Math.min(to, newest + roomBars)
  return end < 1 ? undefined : { from: end - widthOf(seen, next, to - from), to: end }
}

function widthOf(seen: SeenPlace, { timeframe, widthPx }: NextSeries, spanBars: number): number {
  if (timeframe === seen.timeframe) return seen.bars
  return widthPx > 0 ? Math.min(widthPx / narrowestPx, Math.max(widthPx / widestPx, spanBars)) : seen.bars
}
