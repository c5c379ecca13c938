// How long to wait before the next attempt.

export interface BackOffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Exponential back-off with equal jitter: twice as long after each failure, up to `maxMs`, and half of it by chance, so
 * that many callers do not come back at the same moment.
 *
 * @param failures Failures in a row before this one, from 0.
 * @param random At least 0, below 1.
 * @returns Milliseconds, whole.
 */
export function backOffDelayMs(failures: number, { firstMs, maxMs }: BackOffLimits, random: number): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** failures) * (0.5 + random / 2))
}
