// How running averages begin and go on: EMA and Wilder's average differ in one number only.

interface Averaging {
  /** Of how many values the mean is the first average. */
  readonly length: number
  /** Of each later value. */
  readonly weight: number
  /** So many values come before the first that counts. */
  readonly skipped?: number
}

/**
 * Weights w of the 1st, 2nd, ... value in `average = average * (1 - w) + w * value`, two steps that wait for each other where
 * `average += w * (value - average)` has three: 1, 1/2, ... 1/n, which makes the mean of the first n, and then always `weight`. Values that
 * are skipped weigh nothing.
 */
export function averagingWeights({ length, weight, skipped = 0 }: Averaging, lastCount = length + 1): Float64Array {
  return Float64Array.from({ length: lastCount + 1 }, (_, count) => {
    const place = count - skipped
    if (place <= 0) return 0
    return place <= length ? 1 / place : weight
  })
}
