// A budget that refills with time: bursts up to its size, and a steady rate after that.

export interface TokenBucketOptions {
  readonly size: number
  readonly perSecond: number
  /** Milliseconds that only grow. */
  readonly monotonic: () => number
}

export interface TokenBucket {
  /** Takes tokens; false where there are fewer, and then it takes none. What costs more than the size costs the size. */
  take(count: number): boolean
  /** Takes tokens that are not there yet as well; whoever comes next waits for them. */
  spend(count: number): void
  /** Milliseconds until so many are there; 0 where they are there now. */
  waitMs(count: number): number
  readonly isFull: boolean
}

export function tokenBucket({ size, perSecond, monotonic }: TokenBucketOptions): TokenBucket {
  let tokens = size
  let filledMs = monotonic()

  function fill(): number {
    const nowMs = monotonic()
    tokens = Math.min(size, tokens + ((nowMs - filledMs) / 1_000) * perSecond)
    filledMs = nowMs
    return tokens
  }

  return {
    take(count) {
      const cost = Math.min(count, size)
      if (fill() < cost) return false
      tokens -= cost
      return true
    },
    spend(count) {
      tokens = fill() - count
    },
    waitMs: (count) => Math.max(0, Math.ceil(((Math.min(count, size) - fill()) / perSecond) * 1_000)),
    get isFull() {
      return fill() >= size
    },
  }
}
