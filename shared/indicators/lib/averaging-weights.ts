// Weights of running averages; EMA and Wilder's average only differ in one number.

interface Averaging {
  /** Number of values in the initial mean. */
  readonly length: number
  /** Weight of each later value. */
  readonly weight: number
  /** Number of values before the first that counts. */
  readonly skipped?: number
}

/**
 * Weights w of the 1st, 2nd, ... value in `average = average * (1 - w) + w * value`, which has two dependent steps where
 * `average += w * (value - average)` has three: 1, 1/2, ... 1/n, which gives the mean of the first n, and then always `weight`. Skipped
 * values have weight 0.
 */
export function averagingWeights({ length, weight, skipped = 0 }: Averaging, lastCount = length + 1): Float64Array {
  return Float64Array.from({ length: lastCount + 1 }, (_, count) => {
    const place = count - skipped
    if (place <= 0) return 0
    return place <= length ? 1 / place : weight
  })
}
