// Estimates a provider's clock, which decides which candle is closed even if our clock is wrong.
import type { FeedClock } from '../feed.ts'

/** Age at which a sample is too old. */
const freshMs = 600_000

export interface ProviderClock {
  /** Records the provider's time of a received message. */
  sample(providerMs: number): void
  /** Milliseconds by which the provider is ahead; 0 before the first sample. */
  offsetMs(): number
  /** The provider's time. Requests it if the last sample is too old; falls back to our own clock. */
  nowMs(signal?: AbortSignal): Promise<number>
}

const windowMs = 60_000

/**
 * Messages arrive late and never early, so the greatest difference is the most accurate. The greatest of the last one to
 * two minutes with samples is used, so that a corrected clock is accepted.
 */
export function providerClock(clock: FeedClock, ask?: (signal?: AbortSignal) => Promise<number>): ProviderClock {
  let sinceMs = -Infinity
  let receivedMs = -Infinity
  /** Provider's time minus our monotonic time, because our wall clock may change in between. */
  let present = -Infinity
  let before = -Infinity

  const offsetMs = () => {
    const greatest = Math.max(present, before)
    return Number.isFinite(greatest) ? greatest + clock.monotonic() - clock.now() : 0
  }

  function sample(providerMs: number): void {
    const now = clock.monotonic()
    receivedMs = now
    if (now - sinceMs >= windowMs) {
      before = present
      present = -Infinity
      sinceMs = now
    }
    present = Math.max(present, providerMs - now)
  }

  return {
    sample,
    offsetMs,
    async nowMs(signal) {
      if (ask !== undefined && clock.monotonic() - receivedMs >= freshMs) {
        try {
          sample(await ask(signal))
        } catch {
          signal?.throwIfAborted()
          // The request itself may succeed without a provider time.
        }
      }
      return clock.now() + offsetMs()
    },
  }
}
