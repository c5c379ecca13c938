// Live candles of one series and timeframe for all subscribers, and the changes since any sequence number.
import type { PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import { candleRoller, type CandleRoller } from '#shared/candles/candle-roller.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { snapshotMax } from '#shared/market-data/live/contract.ts'
import { bucketer, type Bucketer } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { sortUnique } from '../store/candle-store.ts'

/** Which candles of a series. */
export interface TopicName {
  readonly timeframe: Timeframe
  readonly adjustment: Adjustment
}

export interface TopicStart {
  readonly timeframe: Timeframe
  readonly sessionClass: SessionClass
  /** Ascending; the last one may still be forming and contains the minutes before `untilMs`. */
  readonly candles: readonly Candle[]
  readonly hasOlder: boolean
  /** Timestamp of the source's very first candle, if these start with it; else null. */
  readonly startsAtMs: number | null
  readonly untilMs: number
  /** How the candles are adjusted; undefined if they are not. */
  readonly adjuster: PriceAdjuster | undefined
  /** Candles that would start earlier are left out, because they would be incomplete. */
  readonly wholeSinceMs: number
}

/** Extra candles kept, so that trimming is rare. */
const slack = 500

export class CandleTopic {
  /** Applies to all candles together. */
  readonly start: TopicStart
  readonly #startSeq: number
  readonly #bucketAt: Bucketer
  readonly #candles: Candle[]
  /** Number of the last update of each candle. */
  readonly #changedSeq: number[]
  readonly #base: Candle | null
  readonly #roller: CandleRoller
  #seq: number
  #isTruncated = false

  constructor(start: TopicStart, startSeq: number) {
    const { timeframe, sessionClass, untilMs } = start
    this.start = start
    this.#startSeq = startSeq
    this.#seq = startSeq
    this.#bucketAt = bucketer(sessionClass, timeframe)
    this.#candles = [...start.candles]
    this.#changedSeq = this.#candles.map(() => startSeq)
    this.#base = start.candles.at(-1) ?? null
    this.#roller = candleRoller({ sessionClass, timeframe, base: this.#base, baseEndMs: untilMs })
  }

  /** Number of the last update that changed these candles. */
  get seq(): number {
    return this.#seq
  }

  /** Whether a candle was left out because its start is missing. */
  get isTruncated(): boolean {
    return this.#isTruncated
  }

  /**
   * Applies the minutes of update `seq`. Returns the changed candles, or `late` if one is too old for a correction
   * and everything has to be read again.
   */
  apply(minutes: readonly Candle[], nextSeq: number): readonly Candle[] | 'late' {
    const changed: Candle[] = []
    for (const minute of minutes) {
      if (minute.timeMs >= this.start.untilMs && !this.#isWhole(minute.timeMs)) continue
      const outcome = this.#roller.apply(this.start.adjuster?.adjust(minute) ?? minute)
      if (outcome === 'late') return 'late'
      if (outcome !== 'outside') changed.push(outcome.changed)
    }
    if (changed.length === 0) return []
    this.#seq = nextSeq
    const list = sortUnique(changed)
    for (const candle of list) this.#put(candle)
    return list
  }

  /** Changes after a number, or undefined if that is too long ago. */
  since(from: number): readonly Candle[] | undefined {
    if (from < this.#startSeq || from > this.#seq) return undefined
    return this.#candles.filter((_, index) => (this.#changedSeq[index] ?? 0) > from)
  }

  /** The newest candles, ascending. */
  newest(count: number): readonly Candle[] {
    return this.#candles.slice(-count)
  }

  #isWhole(ms: number): boolean {
    const bucket = this.#bucketAt(ms)
    const isMissing =
      bucket !== null &&
      bucket.timeMs !== this.#base?.timeMs &&
      hasTrading(this.start.sessionClass, { fromMs: bucket.startMs, toMs: this.start.wholeSinceMs })
    this.#isTruncated ||= isMissing
    return !isMissing
  }

  #put(candle: Candle): void {
    let index = this.#candles.length
    while (index > 0 && (this.#candles[index - 1]?.timeMs ?? 0) > candle.timeMs) index -= 1
    if (this.#candles[index - 1]?.timeMs === candle.timeMs) {
      this.#candles[index - 1] = candle
      this.#changedSeq[index - 1] = this.#seq
    } else {
      this.#candles.splice(index, 0, candle)
      this.#changedSeq.splice(index, 0, this.#seq)
    }
    if (this.#candles.length > snapshotMax + slack) {
      this.#candles.splice(0, slack)
      this.#changedSeq.splice(0, slack)
    }
  }
}
