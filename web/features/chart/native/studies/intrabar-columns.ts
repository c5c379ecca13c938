// Assigns intrabar candles to the bars of the chart.
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { Intrabars } from '#shared/indicators/lib/study.ts'

export interface IntrabarColumns {
  /** Read by studies; covers only existing bars of the chart. */
  readonly columns: Intrabars
  /** Intrabar candles from an index on are new or changed. */
  take(fromIndex: number): void
  /** Assigns them to the bars: to all with `isAll`, else to the new ones and the chart's last bar. */
  align(bars: BarColumns, isAll: boolean): void
  /** Whether an intrabar candle belongs to the chart's last bar or to a later one. */
  isForming(index: number): boolean
}

/** `stampOf` maps a time to the start of its chart bar; NaN outside all bars. */
export function intrabarColumns(parts: BarColumns, stampOf: (timeMs: number) => number): IntrabarColumns {
  let stamps = new Float64Array(0)
  let aligned = 0
  const columns: Intrabars = { bars: viewOf(parts), firstIndex: new Int32Array(0) }

  /** The first bar may be known only in part, and the delta of a part would be wrong. */
  function firstWhole(): number {
    let index = 0
    while (index < parts.length && stamps[index] === stamps[0]) index += 1
    return index
  }

  /** While the bar of the first intrabar candle is still open, each further candle in it is skipped as well. */
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
        // Candles outside all sessions stay with the bar before.
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
      // Candles after the chart's last bar wait until their bar exists.
      const lastMs = length === 0 ? Number.NEGATIVE_INFINITY : (timeMs[length - 1] as number)
      while (part < parts.length && (stamps[part] as number) <= lastMs) part += 1
      columns.bars.length = length === 0 ? 0 : part
      aligned = length
    },
    isForming: (index) => aligned > 0 && index >= (columns.firstIndex[aligned - 1] as number),
  }
}

/** A view of the same columns, also after they are reallocated, with its own length. */
function viewOf(parts: BarColumns): BarColumns {
  const view = { length: 0 }
  for (const name of ['timeMs', 'open', 'high', 'low', 'close', 'volume', 'takerBuyVolume'] as const)
    Object.defineProperty(view, name, { get: () => parts[name], enumerable: true })
  return view as BarColumns
}
