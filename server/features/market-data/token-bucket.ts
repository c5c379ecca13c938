// A token bucket: bursts up to its size, and a steady rate after that.

export interface TokenBucketOptions {
  readonly size: number
  readonly perSecond: number
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
}

export type TokenBucket = ReturnType<typeof tokenBucket>

export function tokenBucket({ size, perSecond, monotonic }: TokenBucketOptions) {
  let tokens = size
  let filledMs = monotonic()

  function fill(): number {
    const nowMs = monotonic()
    tokens = Math.min(size, tokens + ((nowMs - filledMs) / 1_000) * perSecond)
    filledMs = nowMs
    return tokens
  }

  return {
    /** Takes tokens; if there are too few, takes none and returns false. A cost above the size counts as the size. */
    take(count: number): boolean {
      const cost = Math.min(count, size)
      if (fill() < cost) return false
      tokens -= cost
      return true
    },
    /** Takes tokens even if there are too few; later callers wait for them. */
    spend(count: number): void {
      tokens = fill() - count
    },
    /** Milliseconds until the tokens are available; 0 if they are. */
    waitMs: (count: number): number => Math.max(0, Math.ceil(((Math.min(count, size) - fill()) / perSecond) * 1_000)),
    get isFull(): boolean {
      return fill() >= size
    },
  }
}
