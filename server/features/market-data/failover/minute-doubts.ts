// Minutes of which a message could not be used, until history has answered.
import { minuteMs } from '#shared/base/durations.ts'
import { doubtMaxMs, rememberedMinutes } from './timeouts.ts'

/** The minutes that a message may have been about: one without a usable time may have been the last of the minute before. */
export function doubtedMinutes(timeMs: number, nowMs: number): readonly number[] {
  const thisMs = Math.floor(nowMs / minuteMs) * minuteMs
  const isUsable = timeMs % minuteMs === 0 && timeMs >= thisMs - doubtMaxMs && timeMs <= thisMs + minuteMs
  return isUsable ? [timeMs] : [thisMs - minuteMs, thisMs]
}

export class MinuteDoubts {
  readonly #open = new Set<number>()
  /** Those with an answer: a repeated message does not request them again. */
  readonly #answered = new Set<number>()

  /** Whether the minute was not in doubt before. */
  add(timeMs: number): boolean {
    if (this.#answered.has(timeMs) || this.#open.has(timeMs)) return false
    this.#open.add(timeMs)
    return true
  }

  /** Timestamps of the minutes without an answer. */
  list(): readonly number[] {
    return [...this.#open]
  }

  /** Ends the doubts about minutes before an instant. */
  end(untilMs: number): void {
    for (const timeMs of this.#open) {
      if (timeMs >= untilMs) continue
      this.#open.delete(timeMs)
      this.#answered.add(timeMs)
      if (this.#answered.size > rememberedMinutes) for (const oldest of this.#answered.values().take(1)) this.#answered.delete(oldest)
    }
  }
}
