// Corners of a zig zag as reused columns: an output that is not one value per bar.

/** Corners of a line, oldest first; neighbours are joined. Entries from `count` on are stale. */
export interface PointList {
  count: number
  readonly index: Float64Array
  readonly price: Float64Array
  /** 1 for a high, -1 for a low. */
  readonly side: Float64Array
  /** For the leg that ends here: volume after its first bar, change in price and in percent; NaN if unknown. */
  readonly volume: Float64Array
  readonly change: Float64Array
  readonly changePercent: Float64Array
  /** 1 if later bars may still remove the corner: its leg is drawn dashed. */
  readonly isProjected: Uint8Array
}

export function createPointList(capacity: number): PointList {
  const column = () => new Float64Array(capacity).fill(Number.NaN)
  return {
    count: 0,
    index: column(),
    price: column(),
    side: column(),
    volume: column(),
    change: column(),
    changePercent: column(),
    isProjected: new Uint8Array(capacity),
  }
}
