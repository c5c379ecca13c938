// Estimates a provider's clock, which decides which candle is closed even if our clock is wrong.
import type { FeedClock } from '../feed.ts'

/** Age at which a sample is too old. */
const freshMs = 600_000

const windowMs = 60_000

/**
 * Messages arrive late and never early, so the greatest difference is the most accurate. The greatest of the last one to
 * two minutes with samples is used, so that a corrected clock is accepted.
 */
export class ProviderClock {
  readonly #clock: FeedClock
  readonly #load: ((signal?: AbortSignal) => Promise<number>) | undefined
  #sinceMs = -Infinity
  #receivedMs = -Infinity
  /** Provider's time minus our monotonic time, because our wall clock may change in between. */
  #present = -Infinity
  #before = -Infinity

  /** `load` requests the provider's time; without it only messages are sampled. */
  constructor(clock: FeedClock, load?: (signal?: AbortSignal) => Promise<number>) {
    this.#clock = clock
    this.#load = load
  }

  /** Records the provider's time of a received message. */
  sample(providerMs: number): void {
    const now = this.#clock.monotonic()
    this.#receivedMs = now
    if (now - this.#sinceMs >= windowMs) {
      this.#before = this.#present
      this.#present = -Infinity
      this.#sinceMs = now
    }
    this.#present = Math.max(this.#present, providerMs - now)
  }

  /** The provider's time by the samples; our own without any. */
  estimateMs(): number {
    const greatest = Math.max(this.#present, this.#before)
    return Number.isFinite(greatest) ? greatest + this.#clock.monotonic() : this.#clock.now()
  }

  /** The provider's time. Requests it if the last sample is too old; falls back to our own clock. */
  async nowMs(signal?: AbortSignal): Promise<number> {
    if (this.#load !== undefined && this.#clock.monotonic() - this.#receivedMs >= freshMs) {
      try {
        this.sample(await this.#load(signal))
      } catch {
        signal?.throwIfAborted()
        // The request itself may succeed without a provider time.
      }
    }
    return this.estimateMs()
  }
}
