// Bars as columns: one typed array per field, owned by the chart and read by studies.

/**
 * Bars in chronological order, one typed array per field. Entries from `length` on are unused capacity. The last bar is
 * still forming. The owner may replace a column by a longer array at any time; studies read the columns again.
 */
export interface BarColumns {
  length: number
  /** Start of the bar, epoch milliseconds. */
  timeMs: Float64Array
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** Traded units; NaN if unknown. */
  volume: Float64Array
  /** Taker buy volume; NaN if unknown. */
  takerBuyVolume: Float64Array
}

/** Empty columns with this capacity; both volumes start as unknown. */
export function createBarColumns(capacity: number): BarColumns {
  const column = () => new Float64Array(capacity)
  return {
    length: 0,
    timeMs: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column().fill(Number.NaN),
    takerBuyVolume: column().fill(Number.NaN),
  }
}

/**
 * Output columns by name, filled with NaN. `grow` gives each at least this capacity and keeps its values; afterwards
 * a column must be read from the record again.
 */
export function createOutputColumns<K extends string>(
  names: readonly K[],
): { readonly columns: Record<K, Float64Array>; readonly grow: (capacity: number) => void } {
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(0)])) as Record<K, Float64Array>
  const grow = (capacity: number) => {
    for (const name of names) {
      if (columns[name].length >= capacity) continue
      const longer = new Float64Array(capacity).fill(Number.NaN)
      longer.set(columns[name])
      columns[name] = longer
    }
  }
  return { columns, grow }
}
