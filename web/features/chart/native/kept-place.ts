// The visible time of a chart: saved when it is unmounted, restored by the chart that replaces it, and held while bars are replaced.
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { DrawingSurface } from '#web/features/drawings/drawing-surface.ts'
import type { ChartModel } from './chart-model.ts'
import type { WindowedView } from './windowed-view.ts'

export interface VisibleTime extends TimeSpan {
  /** Stamp of the last bar if it is visible: the view then follows newer bars. */
  readonly newestMs: number | undefined
}

/** Passed from one chart to the next. */
export interface Place {
  current: VisibleTime | undefined
}

export interface KeptPlaceDeps {
  readonly place: Place
  readonly view: Pick<WindowedView, 'inView' | 'look'>
  readonly model: Pick<ChartModel, 'shown'>
  readonly surface: Pick<DrawingSurface, 'indexOf' | 'timeOf'>
  /** Loads bars back to this time; resolves to false if they cannot be loaded. */
  readonly reach: (timeMs: number) => Promise<boolean>
}

export interface KeptPlace {
  /** Shows the time of the chart before, once its bars are loaded; call it with the first bars, while the newest are visible. */
  restore(): Promise<void>
  keep(): void
  /** Shows the same time after `replace`, if it returns true; `draw` then puts the new bars on the chart. */
  hold(replace: () => boolean, draw: () => void): void
}

export function keptPlace({ place, view, model, surface, reach }: KeptPlaceDeps): KeptPlace {
  let isRestored = false
  const newest = (): number => model.shown.bars.length - 1
  const isNewestInView = (): boolean => (view.inView()?.to ?? Infinity) >= newest()

  function visible(): VisibleTime | undefined {
    const now = view.inView()
    if (now === undefined || newest() < 0) return undefined
    const newestMs = isNewestInView() ? model.shown.bars.timeMs[newest()] : undefined
    return { fromMs: surface.timeOf(now.from), toMs: surface.timeOf(now.to), newestMs }
  }

  function show(seen: VisibleTime): void {
    const added = seen.newestMs === undefined ? 0 : newest() - surface.indexOf(seen.newestMs)
    view.look(surface.indexOf(seen.fromMs) + added, surface.indexOf(seen.toMs) + added)
  }

  return {
    async restore() {
      const seen = place.current
      // A user who has scrolled meanwhile no longer sees the newest bar.
      if (seen !== undefined && (await reach(seen.fromMs)) && isNewestInView()) show(seen)
      isRestored = true
    },
    keep() {
      const seen = visible()
      // A chart that is unmounted before it is restored leaves the place to the next one.
      if (isRestored && seen !== undefined) place.current = seen
    },
    hold(replace, draw) {
      const seen = visible()
      if (!replace()) return
      draw()
      // The library keeps the distance to the newest bar by itself.
      if (seen !== undefined && seen.newestMs === undefined) show(seen)
    },
  }
}
