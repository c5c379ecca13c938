// The visible time of a chart: saved when its series ends, restored by the next one, and held while bars are replaced.
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { DrawingSurface } from '#web/features/drawings/drawing-surface.ts'
import type { ChartModel } from './chart-model.ts'
import { isSameSeries, nextRange, roomBars, type SeenPlace } from './place-rules.ts'
import type { WindowedView } from './windowed-view.ts'

/** Passed from one series to the next. */
export interface Place {
  current: SeenPlace | undefined
}

export interface KeptPlaceDeps {
  readonly slug: string
  readonly timeframe: Timeframe
  readonly place: Place
  readonly view: Pick<WindowedView, 'inView' | 'look'>
  /** Of the plot, without the price axis. */
  readonly widthPx: () => number
  readonly model: Pick<ChartModel, 'shown'>
  readonly surface: Pick<DrawingSurface, 'indexOf' | 'timeOf'>
  /** Loads bars back to this time; resolves to false if they cannot be loaded. */
  readonly reach: (timeMs: number) => Promise<boolean>
}

export interface KeptPlace {
  /** Shows the place of the series before, once its bars are loaded; call it with the first bars, while the newest are visible. */
  restore(): Promise<void>
  keep(): void
  /** Shows the same time after `replace`, if it returns true; `draw` then puts the new bars on the chart. */
  hold(replace: () => boolean, draw: () => void): void
}

/** A place further back in the bars of a shorter timeframe would be minutes of loading: the newest are shown. */
const reachableBars = 50_000

export function keptPlace({ slug, timeframe, place, view, widthPx, model, surface, reach }: KeptPlaceDeps): KeptPlace {
  let isRestored = false
  /** The view after it was restored; until the user changes it, it counts as the place before. */
  let restored: SeenPlace | undefined
  const newest = (): number => model.shown.bars.length - 1
  const isNewestInView = (): boolean => (view.inView()?.to ?? Infinity) >= newest()

  function visible(): SeenPlace | undefined {
    const now = view.inView()
    const timeMs = model.shown.bars.timeMs[newest()]
    if (now === undefined || timeMs === undefined || newest() < 0) return undefined
    return {
      slug,
      timeframe,
      fromMs: surface.timeOf(now.from),
      toMs: surface.timeOf(now.to),
      bars: now.to - now.from,
      newest: isNewestInView() ? { timeMs, gap: now.to - newest() } : undefined,
    }
  }

  function show(seen: SeenPlace): void {
    const range = nextRange(seen, { slug, timeframe, indexOf: surface.indexOf, newest: newest(), widthPx: widthPx() })
    if (range !== undefined) view.look(range.from, range.to)
  }

  /** Start of the bars that a view of older ones needs; undefined where they are too many. */
  function wantedMs(seen: SeenPlace): number | undefined {
    if (isSameSeries(seen, { slug, timeframe })) return seen.fromMs
    const { timeMs } = model.shown.bars
    const [first, last] = [timeMs[0] ?? 0, timeMs[newest()] ?? 0]
    const missing = ((first - seen.toMs) * newest()) / (last - first)
    // One bar before its right edge; the view then loads what else it needs.
    return missing > reachableBars ? undefined : surface.timeOf(surface.indexOf(seen.toMs) - 1)
  }

  async function isReached(seen: SeenPlace): Promise<boolean> {
    const fromMs = wantedMs(seen)
    // A user who has scrolled meanwhile no longer sees the newest bar.
    return fromMs !== undefined && (await reach(fromMs)) && isNewestInView()
  }

  return {
    async restore() {
      const seen = place.current
      // The library keeps the distance to the newest bar of the series before.
      if (seen !== undefined && !isNewestInView()) view.look(newest() + roomBars - seen.bars, newest() + roomBars)
      // The newest bars are there: the first frame already shows them as they were.
      if (seen !== undefined && (seen.newest !== undefined || (await isReached(seen)))) {
        show(seen)
        restored = visible()
      }
      isRestored = true
    },
    keep() {
      const seen = visible()
      // A chart that is unmounted before it is restored leaves the place to the next one.
      if (!isRestored || seen === undefined) return
      if (restored === undefined || !isUntouched(restored, seen)) place.current = seen
    },
    hold(replace, draw) {
      const seen = visible()
      if (!replace()) return
      draw()
      // The library keeps the distance to the newest bar by itself.
      if (seen !== undefined && seen.newest === undefined) show(seen)
    },
  }
}

/** The same zoom at the same time, or still at the newest bar. */
function isUntouched(restored: SeenPlace, seen: SeenPlace): boolean {
  if (Math.abs(restored.bars - seen.bars) > 0.5) return false
  if (restored.newest === undefined || seen.newest === undefined)
    return restored.newest === seen.newest && Math.abs(restored.toMs - seen.toMs) * seen.bars < seen.toMs - seen.fromMs
  return Math.abs(restored.newest.gap - seen.newest.gap) < 0.5
}
