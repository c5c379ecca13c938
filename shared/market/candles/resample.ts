// Makes the candles of a timeframe from smaller ones, along the sessions of the instrument.
import { dayMs } from '../../base/durations.ts'
import { calendarOf } from '../sessions/calendar.ts'
import { bucketer } from '../sessions/bucket.ts'
import { dateOf, weekdayOf } from '../sessions/days.ts'
import type { SessionClass } from '../sessions/session-class.ts'
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
 * 00:00 UTC of their session date, which minutes of a later session may follow. The last candle is as complete as what
 * came in. Minutes and hours outside trading are dropped; so are days without a session where rules alone say when
 * trading is, as at the weekends of currencies. Boundaries and stamps: `bucketOf`; values: `addToSum`.
 */
export function resample(candles: readonly Candle[], sessionClass: SessionClass, timeframe: Timeframe): Candle[] {
  if (timeframe === '1') return keepTrading(candles, sessionClass)
  const isOfManyDays = timeframe === '1W' || timeframe === '1M'
  const calendar = calendarOf(sessionClass)
  const bucketAt = bucketer(sessionClass, timeframe)
  let dayStamp = dayStamper(sessionClass, timeframe)
  const made: Candle[] = []
  let sum: CandleSum | undefined
  let [startMs, endMs] = [0, 0]
  for (const candle of candles) {
    const { timeMs } = candle
    if (sum !== undefined && timeMs >= startMs && timeMs < endMs) {
      addToSum(sum, candle)
      continue
    }
    if (timeMs % dayMs !== 0) dayStamp = undefined
    const bucket = dayStamp === undefined ? bucketAt(timeMs) : null
    const stampMs = dayStamp === undefined ? bucket?.timeMs : dayStamp(timeMs)
    if (stampMs === undefined) continue
    // A week or a month holds nights as well, so that only the session at hand needs no second question.
    const open = bucket !== null && isOfManyDays ? calendar.sessionAt(timeMs) : undefined
    startMs = open?.openMs ?? bucket?.startMs ?? 0
    endMs = open?.closeMs ?? bucket?.endMs ?? 0
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
      const within = calendar.sessionAt(timeMs)?.segments.find((segment) => timeMs >= segment.startMs && timeMs < segment.endMs)
      if (within?.kind === 'continuous') ({ startMs, endMs } = within)
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
    const date = dateOf(day)
    if (isRuleAlone && calendar.sessionOn(date) === null) return undefined
    if (timeframe === '1W') return timeMs - (weekdayOf(day) - 1) * dayMs
    if (timeframe === '1M') return timeMs - (Number(date.slice(8)) - 1) * dayMs
    return timeMs
  }
}
