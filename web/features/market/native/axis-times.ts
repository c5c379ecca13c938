// Times as the drawing library wants them: seconds of the zone's wall clock, strictly ascending, with the way back to the real time.
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import { firstIndex } from '#shared/base/first-index.ts'
import type { BarWindow } from './view-window.ts'

export interface AxisTimes {
  /** Writes the times of a window; the ones before are void. */
  fill(bars: BarColumns, window: BarWindow): void
  /** Adds or corrects the times from a bar on, up to the end of the window. */
  extend(bars: BarColumns, fromIndex: number, window: BarWindow): void
  /** Axis time of a bar of the window, which is that of the first bar of its group; seconds. */
  of(index: number): number
  /** Bars of each group. */
  readonly step: number
  /** Index of the bar that has this axis time, or that is the last one before it. */
  indexOf(axisSeconds: number): number
}

/** `offsetOf` is null where stamps are dates at 00:00 UTC, which no zone may move. */
export function axisTimes(offsetOf: ((ms: number) => number) | null): AxisTimes {
  let seconds = new Float64Array(0)
  let first = 0
  let step = 1
  /** Groups. */
  let length = 0

  const placeOf = (index: number) => Math.floor((index - first) / step)

  function extend(bars: BarColumns, fromIndex: number, window: BarWindow): void {
    const needed = placeOf(window.to - 1) + 1
    if (seconds.length < needed) {
      const longer = new Float64Array(needed * 2)
      longer.set(seconds.subarray(0, length))
      seconds = longer
    }
    for (let at = placeOf(fromIndex); at < needed; at += 1) {
      const ms = bars.timeMs[Math.max(0, first + at * step)] as number
      const wall = Math.floor((ms + (offsetOf?.(ms) ?? 0)) / 1000)
      // Twice the same wall clock in autumn, and several bricks of one candle, would be the same time.
      seconds[at] = at === 0 ? wall : Math.max(wall, (seconds[at - 1] as number) + 1)
    }
    length = needed
  }

  return {
    fill(bars, window) {
      first = window.from
      step = window.step
      length = 0
      extend(bars, window.from, window)
    },
    extend,
    get step() {
      return step
    },
    of: (index) => seconds[placeOf(index)] as number,
    indexOf(axisSeconds) {
      const behind = firstIndex(length, (at) => (seconds[at] as number) > axisSeconds)
      return behind === 0 ? first - 1 : Math.max(0, first + (behind - 1) * step)
    },
  }
}
