// Shorter candles laid into the bars of the chart: which of them belong to which bar.
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import type { Intrabars } from '#shared/market/indicators/study.ts'

export interface IntrabarColumns {
  /** What studies read; only bars of the chart that are there have any. */
  readonly columns: Intrabars
  /** Shorter candles from an index on are new or changed. */
  take(fromIndex: number): void
  /** Lays them into the bars, all anew or only into those that are new; the chart's last bar always. */
  align(bars: BarColumns, isAll: boolean): void
  /** Whether a shorter candle belongs to the chart's last bar, or to one that is still to come. */
  isForming(index: number): boolean
}

/** `stampOf` gives the stamp of the chart bar that a moment belongs to; NaN outside of all. */
export function intrabarColumns(parts: BarColumns, stampOf: (timeMs: number) => number): IntrabarColumns {
  let stamps = new Float64Array(0)
  let aligned = 0
  const columns: Intrabars = { bars: viewOf(parts), firstIndex: new Int32Array(0) }

  /** Of the first bar only a part may be known, and a delta of a part would be wrong. */
  function firstWhole(): number {
    let index = 0
    while (index < parts.length && stamps[index] === stamps[0]) index += 1
    return index
  }

  /** While the bar of the first part is the chart's last one or later, each further part of it is one more to leave out. */
  function isFirstBarOpen({ timeMs }: BarColumns): boolean {
    return parts.length > 0 && aligned > 0 && (stamps[0] as number) >= (timeMs[aligned - 1] as number)
  }

  return {
    columns,
    take(fromIndex) {
      if (stamps.length < parts.length) {
        const longer = new Float64Array(parts.timeMs.length)
        longer.set(stamps)
        stamps = longer
      }
      for (let index = fromIndex; index < parts.length; index += 1) {
        const stamp = stampOf(parts.timeMs[index] as number)
        // What lies outside of all sessions stays with the bar before.
        stamps[index] = Number.isNaN(stamp) ? (stamps[index - 1] ?? Number.NEGATIVE_INFINITY) : stamp
      }
    },
    align(bars, isAll) {
      const { length, timeMs } = bars
      if (columns.firstIndex.length < length) {
        const longer = new Int32Array(timeMs.length)
        longer.set(columns.firstIndex)
        columns.firstIndex = longer
      }
      const from = isAll || isFirstBarOpen(bars) ? 0 : Math.max(0, Math.min(aligned, length) - 1)
      let part = from === 0 ? firstWhole() : (columns.firstIndex[from - 1] as number)
      for (let index = from; index < length; index += 1) {
        while (part < parts.length && (stamps[part] as number) < (timeMs[index] as number)) part += 1
        columns.firstIndex[index] = part
      }
      // What is ahead of the chart's last bar waits until that bar is there.
      const lastMs = length === 0 ? Number.NEGATIVE_INFINITY : (timeMs[length - 1] as number)
      while (part < parts.length && (stamps[part] as number) <= lastMs) part += 1
      columns.bars.length = length === 0 ? 0 : part
      aligned = length
    },
    isForming: (index) => aligned > 0 && index >= (columns.firstIndex[aligned - 1] as number),
  }
}

/** The same columns, whatever arrays take their places, with a length of its own. */
function viewOf(parts: BarColumns): BarColumns {
  const view = { length: 0 }
  for (const name of ['timeMs', 'open', 'high', 'low', 'close', 'volume', 'takerBuyVolume'] as const)
    Object.defineProperty(view, name, { get: () => parts[name], enumerable: true })
  return view as BarColumns
}
