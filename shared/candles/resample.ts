// Resamples candles to a larger timeframe, along the sessions of the instrument.
import { dayMs } from '#shared/base/durations.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { bucketer } from './bucketer.ts'
import { dateOf, dayOf, weekdayOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { tradingStretchAt } from '#shared/trading-hours/session.ts'
import { stepMinutesOf, type Timeframe } from './timeframe.ts'
import type { Candle } from './candle.ts'
import { addToSum, beginSum, type CandleSum } from './candle-sum.ts'

const steps: Readonly<Record<Timeframe, '1m' | '1h' | '1D'>> = {
  '1': '1m',
  '3': '1m',
  '5': '1m',
  '15': '1m',
  '30': '1m',
  '60': '1h',
  '120': '1h',
  '240': '1h',
  '1D': '1D',
  '1W': '1D',
  '1M': '1D',
}

/** Step that a timeframe is made from: minutes up to half an hour, hours up to four, else days. */
export function stepOf(timeframe: Timeframe): '1m' | '1h' | '1D' {
  return steps[timeframe]
}

/**
 * Candles of a timeframe from strictly ascending smaller ones: minutes, hours of the session's grid, or days with timestamps
 * at 00:00 UTC of their session date, mixed with minutes of other sessions. The last candle is as complete as the
 * input. Minutes and hours outside trading are dropped; so are days without a session where rules alone define
 * trading, for example weekends of currencies. Boundaries and timestamps: `bucketOf`; values: `addToSum`.
 */
export function resample(candles: readonly Candle[], sessionClass: SessionClass, timeframe: Timeframe): Candle[] {
  if (timeframe === '1') return keepTrading(candles, sessionClass)
  const isOfDays = stepMinutesOf(timeframe) === undefined
  const calendar = calendarOf(sessionClass)
  const bucketAt = bucketer(sessionClass, timeframe)
  const dayStamp = dayStamper(sessionClass, timeframe)
  const made: Candle[] = []
  let sum: CandleSum | undefined
  let [startMs, endMs] = [0, 0]
  for (const candle of candles) {
    const { timeMs } = candle
    if (sum !== undefined && timeMs >= startMs && timeMs < endMs) {
      addToSum(sum, candle)
      continue
    }
    const isDay = dayStamp !== undefined && timeMs % dayMs === 0
    const bucket = isDay ? null : bucketAt(timeMs)
    const stampMs = isDay ? dayStamp?.(timeMs) : bucket?.timeMs
    if (stampMs === undefined) continue
    // A week, a month and a session with a pause include non-trading times, so only the current stretch can skip the lookup.
    const session = bucket !== null && isOfDays ? calendar.sessionOfTrade(timeMs) : null
    const stretch = session === null ? bucket : tradingStretchAt(session, timeMs)
    startMs = stretch?.startMs ?? 0
    endMs = stretch?.endMs ?? 0
    if (sum?.timeMs === stampMs) addToSum(sum, candle)
    else made.push((sum = beginSum(stampMs, candle)))
  }
  return made
}

/** Fast path for minutes: each is kept, only those of a closing auction are merged; much faster than a lookup per bucket. */
function keepTrading(minutes: readonly Candle[], sessionClass: SessionClass): Candle[] {
  const calendar = calendarOf(sessionClass)
  const bucketAt = bucketer(sessionClass, '1')
  const made: Candle[] = []
  let sum: CandleSum | undefined
  let [startMs, endMs] = [0, 0]
  for (const minute of minutes) {
    const { timeMs } = minute
    if (timeMs < startMs || timeMs >= endMs) {
      const segments = calendar.sessionOfTrade(timeMs)?.segments ?? []
      const within = segments.find((segment) => timeMs >= segment.startMs && timeMs < segment.endMs)
      if (within !== undefined && within.kind !== 'closing-auction') ({ startMs, endMs } = within)
    }
    if (timeMs >= startMs && timeMs < endMs) {
      made.push(minute)
      continue
    }
    const stampMs = bucketAt(timeMs)?.timeMs
    if (stampMs === undefined) continue
    if (sum?.timeMs === stampMs) addToSum(sum, minute)
    else made.push((sum = beginSum(stampMs, minute)))
  }
  return made
}

/**
 * Timestamp of the candle that a day belongs to, from its date alone; undefined to drop the day. While a list's
 * timestamps are at 00:00 UTC it is taken for days; a minute may have that timestamp too, in the session of that date,
 * so both give the same result.
 */
function dayStamper(sessionClass: SessionClass, timeframe: Timeframe): ((timeMs: number) => number | undefined) | undefined {
  if (stepOf(timeframe) !== '1D') return undefined
  const calendar = calendarOf(sessionClass)
  // A holiday list can miss a special session of past years; a traded day proves it.
  const isRuleAlone = calendar.coveredUntil === null
  return (timeMs) => {
    const day = timeMs / dayMs
    const date = isRuleAlone ? calendar.tradeDateOf(dateOf(day)) : dateOf(day)
    if (date === null) return undefined
    const tradingDay = dayOf(date)
    if (timeframe === '1W') return (tradingDay - weekdayOf(tradingDay) + 1) * dayMs
    if (timeframe === '1M') return (tradingDay - Number(date.slice(8)) + 1) * dayMs
    return tradingDay * dayMs
  }
}
