// Time axis of lightweight-charts: the window of bars on it, and their strictly ascending wall clock seconds in the zone.
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { binarySearch } from '#shared/base/binary-search.ts'
import type { BarWindow } from './view-window.ts'

export interface AxisTimes {
  /** Writes the times of a window and discards the previous ones. */
  fill(bars: BarColumns, window: BarWindow): void
  /** Adds or corrects the times from a bar to the end of the window. */
  extend(bars: BarColumns, fromIndex: number, window: BarWindow): void
  /** Axis time of a bar in the window, in seconds; all bars of a group have that of its first bar. */
  of(index: number): number
  /** First bar of a bar's group; the bar itself without grouping. */
  firstOf(index: number): number
  /** The window of the last call. */
  readonly window: BarWindow
  /** Index of the bar with this axis time, or of the last one before it. */
  indexOf(axisSeconds: number): number
}

/** `offsetOf` is null for daily bars: dates at 00:00 UTC, which no zone may shift. */
export function axisTimes(offsetOf: ((ms: number) => number) | null): AxisTimes {
  let seconds = new Float64Array(0)
  let held: BarWindow = { from: 0, to: 0, step: 1 }
  /** Number of groups. */
  let length = 0

  const placeOf = (index: number) => Math.floor((index - held.from) / held.step)

  function extend(bars: BarColumns, fromIndex: number, window: BarWindow): void {
    held = window
    const needed = placeOf(window.to - 1) + 1
    if (seconds.length < needed) {
      const longer = new Float64Array(needed * 2)
      longer.set(seconds.subarray(0, length))
      seconds = longer
    }
    for (let at = placeOf(fromIndex); at < needed; at += 1) {
      const ms = bars.timeMs[Math.max(0, held.from + at * held.step)] as number
      const wall = Math.floor((ms + (offsetOf?.(ms) ?? 0)) / 1000)
      // A repeated hour in autumn, and bricks of the same candle, would give equal times.
      seconds[at] = at === 0 ? wall : Math.max(wall, (seconds[at - 1] as number) + 1)
    }
    length = needed
  }

  return {
    fill(bars, window) {
      held = window
      length = 0
      extend(bars, window.from, window)
    },
    extend,
    firstOf: (index) => Math.max(0, held.from + placeOf(index) * held.step),
    get window() {
      return held
    },
    of: (index) => seconds[placeOf(index)] as number,
    indexOf(axisSeconds) {
      const behind = binarySearch(length, (at) => (seconds[at] as number) > axisSeconds)
      return behind === 0 ? held.from - 1 : Math.max(0, held.from + (behind - 1) * held.step)
    },
  }
}
