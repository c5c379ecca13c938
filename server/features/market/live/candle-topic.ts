// The candles of one series in one timeframe, kept up to date for all who watch them, and what changed since any number.
import type { PriceAdjuster } from '#shared/market/adjustment.ts'
import { candleRoller } from '#shared/market/candles/candle-roller.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { snapshotMax } from '#shared/market/live.ts'
import { bucketer } from '#shared/market/sessions/bucket.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { hasTrading } from '#shared/market/sessions/trading-time.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface TopicStart {
  readonly timeframe: Timeframe
  readonly sessionClass: SessionClass
  /** Ascending; the last one may still form and holds the minutes before `untilMs`. */
  readonly candles: readonly Candle[]
  readonly hasOlder: boolean
  /** Stamp of the very first candle of the source, where these begin with it; else null. */
  readonly startsAtMs: number | null
  readonly untilMs: number
  /** As the candles were adjusted; undefined where they are as stored. */
  readonly adjuster: PriceAdjuster | undefined
  /** No candle is begun that would have started before: something of it is missing. */
  readonly wholeSinceMs: number
}

export interface CandleTopic {
  /** Number of the last update that changed something here. */
  readonly seq: number
  readonly hasOlder: boolean
  /** As in the start: it holds for all candles together. */
  readonly startsAtMs: number | null
  /** Key of the adjuster, undefined without one. */
  readonly adjustmentKey: string | undefined
  readonly wholeSinceMs: number
  /** Whether a candle was left out because its beginning is missing. */
  readonly isTruncated: boolean
  /**
   * Takes the minutes of update `seq`. Gives the candles that changed, or `late` where one belongs before what can
   * still be corrected and everything has to be read again.
   */
  apply(minutes: readonly Candle[], seq: number): readonly Candle[] | 'late'
  /** What changed after a number, or undefined if that is too long ago to know. */
  since(seq: number): readonly Candle[] | undefined
  /** The newest candles, ascending. */
  newest(count: number): readonly Candle[]
}

/** Keeps about so many candles more than it has to, to cut seldom. */
const slack = 500

export function candleTopic(start: TopicStart, startSeq: number): CandleTopic {
  const { timeframe, sessionClass, untilMs, wholeSinceMs, adjuster } = start
  const bucketAt = bucketer(sessionClass, timeframe)
  const candles = [...start.candles]
  const changedSeq = candles.map(() => startSeq)
  const last = candles.at(-1)
  const forming = bucketAt(untilMs)
  const base = last !== undefined && forming?.timeMs === last.timeMs ? last : null
  const roller = candleRoller({ sessionClass, timeframe, base, baseEndMs: untilMs })
  let seq = startSeq
  let isTruncated = false

  const isWhole = (ms: number): boolean => {
    const bucket = bucketAt(ms)
    const isMissing =
      bucket !== null && bucket.timeMs !== base?.timeMs && hasTrading(sessionClass, { fromMs: bucket.startMs, toMs: wholeSinceMs })
    isTruncated ||= isMissing
    return !isMissing
  }

  function put(candle: Candle): void {
    let index = candles.length
    while (index > 0 && (candles[index - 1]?.timeMs ?? 0) > candle.timeMs) index -= 1
    if (candles[index - 1]?.timeMs === candle.timeMs) {
      candles[index - 1] = candle
      changedSeq[index - 1] = seq
    } else {
      candles.splice(index, 0, candle)
      changedSeq.splice(index, 0, seq)
    }
    if (candles.length > snapshotMax + slack) {
      candles.splice(0, slack)
      changedSeq.splice(0, slack)
    }
  }

  return {
    get seq() {
      return seq
    },
    hasOlder: start.hasOlder,
    startsAtMs: start.startsAtMs,
    adjustmentKey: adjuster?.key,
    wholeSinceMs,
    get isTruncated() {
      return isTruncated
    },
    apply(minutes, nextSeq) {
      const changed = new Map<number, Candle>()
      for (const minute of minutes) {
        if (minute.timeMs >= untilMs && !isWhole(minute.timeMs)) continue
        const outcome = roller.apply(adjuster?.adjust(minute) ?? minute)
        if (outcome === 'late') return 'late'
        if (outcome !== 'outside') changed.set(outcome.changed.timeMs, outcome.changed)
      }
      if (changed.size === 0) return []
      seq = nextSeq
      const list = [...changed.values()].toSorted((one, other) => one.timeMs - other.timeMs)
      for (const candle of list) put(candle)
      return list
    },
    since(from) {
      if (from < startSeq || from > seq) return undefined
      return candles.filter((_, index) => (changedSeq[index] ?? 0) > from)
    },
    newest: (count) => candles.slice(-count),
  }
}
