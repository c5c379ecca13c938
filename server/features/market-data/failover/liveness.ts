// Judges whether a stream is alive by what its messages say: one that repeats its last message is silent.
import { minuteMs } from '#shared/base/durations.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import type { Feed, FeedClock } from '../feed.ts'

/** A stream whose messages are older is behind; clocks that are wrong by less are accepted. */
const messageLagMaxMs = 5 * minuteMs

export interface StreamMessage {
  /** The minute that it is about. */
  readonly timeMs: number
  /** When the source made it, on its own clock; undefined if it does not say so. */
  readonly eventMs: number | undefined
  /** Whether it says anything new. */
  readonly isNew: boolean
}

export interface LivenessOptions {
  readonly clock: FeedClock
  readonly live: Feed['live']
  readonly sessionClass: SessionClass
  readonly staleAfterMs: number
}

export class Liveness {
  readonly #options: LivenessOptions
  readonly #isStream: boolean
  #eventMs = -Infinity
  /** When it was last proved, on our wall clock. */
  #provenMs: number
  /** Start of the silence: the last proof, or the first moment when one was possible. */
  #quietSinceMs: number

  constructor(options: LivenessOptions) {
    this.#options = options
    this.#isStream = options.live === 'minutes' || options.live === 'trades'
    this.#provenMs = options.clock.now()
    this.#quietSinceMs = options.clock.monotonic()
  }

  /** Milliseconds without a proof. */
  get quietMs(): number {
    return this.#options.clock.monotonic() - this.#quietSinceMs
  }

  /** Minutes before this instant have been seen to their end. */
  get provenMs(): number {
    return this.#provenMs
  }

  /** The source has proved that it is alive, or cannot be expected to. */
  prove(): void {
    this.#provenMs = this.#options.clock.now()
    this.#quietSinceMs = this.#options.clock.monotonic()
  }

  /**
   * Whether a message proves that the source is alive: it is newer than all before, is about the minute in which it was
   * made, and not about long ago.
   */
  isProof({ timeMs, eventMs, isNew }: StreamMessage): boolean {
    const madeMs = eventMs ?? timeMs + minuteMs
    const isLate = this.#isStream && this.#options.clock.now() - madeMs > messageLagMaxMs
    const isAdvance = eventMs === undefined ? isNew : eventMs > this.#eventMs && timeMs > eventMs - 2 * minuteMs
    this.#eventMs = Math.max(this.#eventMs, eventMs ?? -Infinity)
    return isAdvance && !isLate
  }

  /** The first and the last minute that may be missing before one that follows a silence; none if the silence was usual. */
  missedBefore(timeMs: number): readonly number[] {
    const { live, staleAfterMs, sessionClass, clock } = this.#options
    const silenceMs = live === 'minutes' ? staleAfterMs : Math.max(minuteMs, staleAfterMs)
    const firstMs = Math.floor(Math.max(this.#provenMs, clock.now() - this.quietMs) / minuteMs) * minuteMs
    if (!this.#isStream || this.quietMs < silenceMs || !hasTrading(sessionClass, { fromMs: firstMs, toMs: timeMs })) return []
    return [firstMs, timeMs - minuteMs]
  }
}

/** Whether prices are expected: a closing auction has none until its end. */
export function isTrading(sessionClass: SessionClass, ms: number): boolean {
  const segments = calendarOf(sessionClass).sessionAt(ms)?.segments ?? []
  return segments.some(({ kind, startMs, endMs }) => kind === 'continuous' && ms >= startMs && ms < endMs)
}
