// The last minutes of a series for new listeners, without a gap, and the numbers of their updates.
import type { Candle } from '#shared/candles/candle.ts'
import type { SourceName } from '../feed.ts'
import { MinuteBuffer } from '../minute-buffer.ts'

/** Closed minutes are stored long before they are evicted. */
const minutesMax = 180

export class RecentMinutes {
  readonly buffer = new MinuteBuffer<Candle>(minutesMax)
  readonly #newEpoch: () => string
  /** Minutes before this instant are missing for now, and are left out. */
  #gapMs = -Infinity
  /** End of the newest minutes that each source could not name. */
  readonly #unknownMs = new Map<SourceName, number>()
  #epoch: string
  #seq = 0

  constructor(newEpoch: () => string) {
    this.#newEpoch = newEpoch
    this.#epoch = newEpoch()
  }

  /** Of everything published since the last restart. */
  get epoch(): string {
    return this.#epoch
  }

  get seq(): number {
    return this.#seq
  }

  /** Minutes changed since the last call; they get the next number. */
  changes(): readonly Candle[] {
    const changed = this.buffer.drain()
    if (changed.length > 0) this.#seq += 1
    return changed
  }

  /** Whether so many arrived that some have to be read from the store. */
  take(source: SourceName, minutes: readonly Candle[]): boolean {
    const sinceMs = Math.max(this.#gapMs, this.#unknownMs.get(source) ?? -Infinity)
    const wasEmpty = this.buffer.newestMs === -Infinity
    for (const minute of minutes) if (minute.timeMs >= sinceMs) this.buffer.put(minute.timeMs, minute)
    // Charts that were read before them would continue across the unknown minutes.
    if (wasEmpty && this.#unknownMs.has(source) && this.buffer.newestMs > -Infinity) this.renewEpoch()
    return this.buffer.trim().length > 0 && minutes.length > minutesMax
  }

  /** Everything published so far is replaced by what follows; earlier minutes than `gapMs` are missing. */
  restart(gapMs = -Infinity): void {
    this.#gapMs = gapMs
    this.renewEpoch()
    this.buffer.clear()
  }

  /** Listeners read everything again. */
  renewEpoch(): void {
    this.#epoch = this.#newEpoch()
    this.#seq = 0
  }

  /** A longer candle must not be built without unknown minutes: the recent ones start after them. Returns whether any was left out. */
  skipUntil(source: SourceName, untilMs: number | undefined, isActive: boolean): boolean {
    if (untilMs === undefined || untilMs <= (this.#unknownMs.get(source) ?? -Infinity)) return false
    this.#unknownMs.set(source, untilMs)
    const recent = this.buffer.values()
    if (!isActive || !recent.some(({ timeMs }) => timeMs < untilMs)) return false
    this.renewEpoch()
    this.buffer.clear()
    for (const minute of recent) if (minute.timeMs >= untilMs) this.buffer.put(minute.timeMs, minute)
    return true
  }
}
