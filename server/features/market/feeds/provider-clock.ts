// What a provider's clock shows: which candle is over is the provider's word, also where our clock is wrong.
import type { FeedClock } from '../feed.ts'

/** A difference that was heard so long ago is asked for again. */
const freshMs = 600_000

export interface ProviderClock {
  /** Takes note of what the provider's clock showed when a message left it. */
  sample(providerMs: number): void
  /** Milliseconds by which the provider is ahead; 0 before the first sample. */
  offsetMs(): number
  /** The provider's time. Asks the provider where nothing was heard for long; believes our own clock where it does not answer. */
  nowMs(signal?: AbortSignal): Promise<number>
}

const windowMs = 60_000

/**
 * Messages arrive late and never early, so of all differences the greatest is nearest to the truth. The greatest of the
 * last one to two minutes with samples counts, so that a clock that is set right is believed again.
 */
export function providerClock(clock: FeedClock, ask?: (signal?: AbortSignal) => Promise<number>): ProviderClock {
  let sinceMs = -Infinity
  let heardMs = -Infinity
  /** Provider's time minus our monotonic one: our wall clock may be set anew in between. */
  let present = -Infinity
  let before = -Infinity

  const offsetMs = () => {
    const greatest = Math.max(present, before)
    return Number.isFinite(greatest) ? greatest + clock.monotonic() - clock.now() : 0
  }

  function sample(providerMs: number): void {
    const now = clock.monotonic()
    heardMs = now
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
      if (ask !== undefined && clock.monotonic() - heardMs >= freshMs) {
        try {
          sample(await ask(signal))
        } catch {
          signal?.throwIfAborted()
          // A provider that does not tell its time may still answer the question itself.
        }
      }
      return clock.now() + offsetMs()
    },
  }
}
