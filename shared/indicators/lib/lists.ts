// Bounded outputs that are not one value per bar: horizontal levels and zig zag corners, as reused columns.

/** Horizontal levels. Indexes count chart bars; entries from `count` on are stale. */
export interface LevelList {
  count: number
  readonly fromIndex: Float64Array
  readonly toIndex: Float64Array
  readonly price: Float64Array
  /** Weight of the level, in units of the study; NaN if the study has none. */
  readonly volume: Float64Array
  /** Share of `volume` in all levels, 0 to 1; NaN like it. */
  readonly share: Float64Array
  /** Which level it is: an index into `names` and `roles` of the plot. */
  readonly code: Uint8Array
}

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

export function createLevelList(capacity: number): LevelList {
  const column = () => new Float64Array(capacity).fill(Number.NaN)
  return {
    count: 0,
    fromIndex: column(),
    toIndex: column(),
    price: column(),
    volume: column(),
    share: column(),
    code: new Uint8Array(capacity),
  }
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
