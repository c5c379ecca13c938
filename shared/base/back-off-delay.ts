// Exponential backoff.

export interface BackOffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Delay before the next attempt: doubles after each failure, up to `maxMs`; half of it is random jitter, so
 * that clients do not retry at the same moment.
 *
 * @param failures Consecutive failures before this one, from 0.
 * @param random At least 0, below 1.
 * @returns Whole milliseconds.
 */
export function backOffDelayMs(failures: number, { firstMs, maxMs }: BackOffLimits, random: number): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** failures) * (0.5 + random / 2))
}
