// Maps an instant to its candle, for every session class and timeframe.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from './timeframe.ts'
import { calendarOf, type Calendar } from '#shared/trading-hours/calendar.ts'
import { dayOf } from '#shared/trading-hours/day.ts'
import { intradayBucket, type Bucket } from './intraday-bucket.ts'
import { periodOf } from './period.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { tradingStretchAt, type Session, type TimeWindow } from '#shared/trading-hours/session.ts'

export type Bucketer = (ms: number) => Bucket | null

const sharedBucketers = new Map<SessionClass, Map<Timeframe, Bucketer>>()

/**
 * The bucket at an instant (epoch milliseconds), or null outside trading. Below 1D the buckets of a session tile
 * it, counted from its open; 1D covers the session, 1W and 1M all sessions of the ISO week or month.
 */
export function bucketOf(sessionClass: SessionClass, timeframe: Timeframe, ms: number): Bucket | null {
  const known = sharedBucketers.get(sessionClass)?.get(timeframe)
  if (known !== undefined) return known(ms)
  const calendar = calendarOf(sessionClass)
  const made = makeBucketer(calendar, timeframe, calendar.sessionAt)
  const ofClass = sharedBucketers.get(sessionClass) ?? new Map<Timeframe, Bucketer>()
  sharedBucketers.set(sessionClass, ofClass.set(timeframe, made))
  return made(ms)
}

/**
 * `bucketOf` for many candles of one series: caches the last session and bucket, so that ascending
 * timestamps are cheap. Consecutive timestamps in one bucket return the same object. A candle proves trading, so
 * it also has a bucket on dates that no holiday list covers: see `Calendar.sessionOfTrade`.
 */
export function bucketer(sessionClass: SessionClass, timeframe: Timeframe): Bucketer {
  const calendar = calendarOf(sessionClass)
  return makeBucketer(calendar, timeframe, calendar.sessionOfTrade)
}

function makeBucketer(calendar: Calendar, timeframe: Timeframe, sessionAt: (ms: number) => Session | null): Bucketer {
  const make = makerOf(calendar, timeframe)
  let session: Session | null = null
  let stretch: TimeWindow | null = null
  let bucket: Bucket | null = null
  return (ms) => {
    if (session === null || stretch === null || !(ms >= stretch.startMs && ms < stretch.endMs)) {
      const found = sessionAt(ms)
      const around = found === null ? null : tradingStretchAt(found, ms)
      if (found === null || around === null) return null
      if (found !== session) bucket = null
      session = found
      stretch = around
    }
    if (bucket === null || ms < bucket.startMs || ms >= bucket.endMs) bucket = make(session, ms)
    return bucket
  }
}

/** Whether a one-minute candle may have this timestamp; in a closing auction only its print's is valid. */
export function isTradingMinute(sessionClass: SessionClass, ms: number): boolean {
  return bucketOf(sessionClass, '1', ms)?.timeMs === ms
}

function makerOf(calendar: Calendar, timeframe: Timeframe): (session: Session, ms: number) => Bucket {
  if (timeframe === '1W' || timeframe === '1M') return (session) => periodBucket(calendar, timeframe, session)
  const stepMinutes = stepMinutesOf(timeframe)
  if (stepMinutes === undefined) return dayBucket
  return (session, ms) => intradayBucket(session, stepMinutes * minuteMs, ms)
}

function dayBucket({ date, openMs, closeMs }: Session): Bucket {
  return { timeMs: dayOf(date) * dayMs, startMs: openMs, endMs: closeMs, sessionDate: date }
}

function periodBucket(calendar: Calendar, timeframe: '1W' | '1M', session: Session): Bucket {
  const { stampMs, first, last } = periodOf(calendar, timeframe, session)
  return { timeMs: stampMs, startMs: first.openMs, endMs: last.closeMs, sessionDate: first.date }
}
