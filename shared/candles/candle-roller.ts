// Keeps the forming candle of a timeframe exact while its minutes arrive, are corrected, or are repeated.
import { minuteMs } from '#shared/base/durations.ts'
import { bucketer } from './bucketer.ts'
import type { Bucket } from './intraday-bucket.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from './timeframe.ts'
import type { Candle } from './candle.ts'
import { addToSum, beginSum, type CandleSum } from './candle-sum.ts'

/** Number of minutes that can still be corrected; older ones are only kept in the sum. */
const correctableMinutes = 60

export interface RollerStart {
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** The last candle, made from its minutes before `baseEndMs`, closed or not; null if there are none. */
  readonly base: Candle | null
  /** Everything before this instant (epoch milliseconds) is in `base` or in older candles and cannot be corrected here. */
  readonly baseEndMs: number
}

export interface Rolled {
  /** The candle after the minute was applied; an older candle if an older minute was corrected. */
  readonly changed: Candle
  /** Whether the candle is new. */
  readonly isNew: boolean
}

export interface CandleRoller {
  /**
   * Applies the complete state of one minute, which replaces an earlier one. `late`: the minute is older than
   * what can be corrected, so the caller must reload. `outside`: it is outside trading hours and ignored.
   */
  apply(minute: Candle): Rolled | 'late' | 'outside'
}

/** One candle and its correctable minutes. */
interface Part {
  readonly stampMs: number
  /** Exclusive end of its bucket. */
  readonly endMs: number
  /** Sum of the minutes that are no longer kept. */
  settled: Candle | null
  /** Ascending. */
  readonly minutes: Candle[]
  /** `settled` and all minutes but the last, so that a tick costs the same however long the candle is. */
  beforeLast: Candle | null
}

/** A roller for one series and timeframe. After every call its result equals `resample` of the same minutes exactly. */
export function candleRoller({ sessionClass, timeframe, base, baseEndMs }: RollerStart): CandleRoller {
  const bucketAt = bucketer(sessionClass, timeframe)
  /** Ascending, one for each candle with a correctable minute. */
  const parts: Part[] = []
  let horizonMs = baseEndMs
  let correctableCount = 0

  function partOf({ timeMs: stampMs, endMs }: Bucket): { part: Part; isNew: boolean } {
    const known = parts.findLast((part) => part.stampMs === stampMs)
    if (known !== undefined) return { part: known, isNew: false }
    const settled = base?.timeMs === stampMs ? base : null
    const part: Part = { stampMs, endMs, settled, minutes: [], beforeLast: settled }
    parts.splice(parts.findLastIndex((other) => other.stampMs < stampMs) + 1, 0, part)
    return { part, isNew: settled === null }
  }

  function forgetOldest(): void {
    const [oldest] = parts
    const minute = oldest?.minutes.shift()
    if (oldest === undefined || minute === undefined) return
    correctableCount -= 1
    oldest.settled = sumOf(oldest.stampMs, oldest.settled, [minute])
    const isDone = oldest.minutes.length === 0
    if (isDone) parts.shift()
    // Once a whole candle is dropped, not even a missing minute can be added to it.
    horizonMs = isDone ? oldest.endMs : minute.timeMs + minuteMs
  }

  return {
    apply(minute) {
      const bucket = bucketAt(minute.timeMs)
      if (bucket === null) return 'outside'
      if (minute.timeMs < horizonMs) return 'late'
      const { part, isNew } = partOf(bucket)
      if (place(part, minute)) correctableCount += 1
      const changed = sumOf(part.stampMs, part.beforeLast, part.minutes.slice(-1)) ?? minute
      if (correctableCount > correctableMinutes) forgetOldest()
      return { changed, isNew }
    },
  }
}

/** Inserts or replaces a minute; returns whether it is new. */
function place(part: Part, minute: Candle): boolean {
  const { minutes } = part
  const last = minutes.at(-1)
  if (last?.timeMs === minute.timeMs) {
    minutes[minutes.length - 1] = minute
    return false
  }
  if (last === undefined || last.timeMs < minute.timeMs) {
    part.beforeLast = last === undefined ? part.settled : sumOf(part.stampMs, part.beforeLast, [last])
    minutes.push(minute)
    return true
  }
  const index = minutes.findIndex((other) => other.timeMs >= minute.timeMs)
  const isOneMore = minutes[index]?.timeMs !== minute.timeMs
  minutes.splice(index, isOneMore ? 0 : 1, minute)
  part.beforeLast = sumOf(part.stampMs, part.settled, minutes.slice(0, -1))
  return isOneMore
}

function sumOf(stampMs: number, before: Candle | null, minutes: readonly Candle[]): Candle | null {
  let sum: CandleSum | null = before === null ? null : beginSum(stampMs, before)
  for (const minute of minutes) {
    if (sum === null) sum = beginSum(stampMs, minute)
    else addToSum(sum, minute)
  }
  return sum
}
