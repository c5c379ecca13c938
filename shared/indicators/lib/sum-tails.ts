// Sliding window sums without subtraction: the end of one block of n values and the start of the next.

/**
 * Sums over the last 0, 1, ... n values up to `last` into `tails` from its end, so that `tails[at]` is the previous block's part of
 * a window that holds `at` values of the current one. Without subtraction no error accumulates, and a NaN leaves with its bar.
 */
export function sumTails(values: Float64Array, last: number, tails: Float64Array): void {
  const end = tails.length - 1
  let sum = 0
  for (let back = 1; back <= end; back += 1) {
    sum += values[last + 1 - back] as number
    tails[end - back] = sum
  }
}

/** Tails before the first block: none of its values is known. */
export function clearTails(tails: Float64Array): void {
  tails.fill(Number.NaN)
  tails[tails.length - 1] = 0
}
