// Horizontal levels as reused columns: an output that is not one value per bar.

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
