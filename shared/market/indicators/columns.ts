// Bars as columns: one typed array a field, owned by the chart and only read by studies.

/**
 * Bars in order of time, one typed array a field. Entries from `length` on are spare room. The last bar is the one
 * that still forms. The owner may put a longer array in a column's place at any time; studies read the columns anew.
 */
export interface BarColumns {
  length: number
  /** Start of the bar, epoch milliseconds. */
  timeMs: Float64Array
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** Units traded; NaN where it is not known. */
  volume: Float64Array
  /** Part of the volume whose buyer took the offer; NaN where it is not known. */
  takerBuyVolume: Float64Array
}

/** Empty columns with room for so many bars; both volumes start as not known. */
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
 * Output columns by name, filled with NaN. `grow` gives each at least so much room and keeps what it holds, so that
 * a column must be read from the record again afterwards.
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
