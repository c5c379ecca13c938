// Makes the candles of a timeframe from smaller ones, along the sessions of the instrument.
import { dayMs } from '../../base/durations.ts'
import { calendarOf } from '../sessions/calendar.ts'
import { bucketer } from '../sessions/bucket.ts'
import { dateOf, dayOf, weekdayOf } from '../sessions/days.ts'
import type { SessionClass } from '../sessions/session-class.ts'
import { tradingStretchAt } from '../sessions/session.ts'
import { stepMinutesOf } from '../timeframe-step.ts'
import type { Timeframe } from '../timeframe.ts'
import type { Candle } from './candle.ts'
import { addToSum, beginSum, type CandleSum } from './sum-candles.ts'

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

/** Size of the candles that a timeframe is made from: minutes up to half an hour, hours up to four, else days. */
export function stepOf(timeframe: Timeframe): '1m' | '1h' | '1D' {
  return steps[timeframe]
}

/**
 * Candles of a timeframe from strictly ascending smaller ones: minutes, hours of the session's grid, or days stamped
 * 00:00 UTC of their session date, between which minutes of other sessions may lie. The last candle is as complete as what
 * came in. Minutes and hours outside trading are dropped; so are days without a session where rules alone say when
 * trading is, as at the weekends of currencies. Boundaries and stamps: `bucketOf`; values: `addToSum`.
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
    // A week, a month and a session with a pause hold times without trading, so only the stretch at hand needs no second look-up.
    const session = bucket !== null && isOfDays ? calendar.sessionOfTrade(timeMs) : null
    const stretch = session === null ? bucket : tradingStretchAt(session, timeMs)
    startMs = stretch?.startMs ?? 0
    endMs = stretch?.endMs ?? 0
    if (sum?.timeMs === stampMs) addToSum(sum, candle)
    else made.push((sum = beginSum(stampMs, candle)))
  }
  return made
}

/** Minutes to minutes: each stays what it is, only those of a closing auction become one; many times faster than asking for each bucket. */
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
 * Stamp of the candle that a day goes to, from its date alone; undefined if the day has to be dropped. As long as a list's
 * stamps are 00:00 UTC it is taken for days; where a minute can carry that stamp it belongs to the session of that date,
 * so that both ways agree.
 */
function dayStamper(sessionClass: SessionClass, timeframe: Timeframe): ((timeMs: number) => number | undefined) | undefined {
  if (stepOf(timeframe) !== '1D') return undefined
  const calendar = calendarOf(sessionClass)
  // A list of holidays can miss a special session of years ago; a day that its exchange traded is proof of it.
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
