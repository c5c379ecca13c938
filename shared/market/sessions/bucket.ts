// Which candle an instant belongs to, for every session class and timeframe.
import { dayMs, minuteMs } from '../../base/durations.ts'
import { stepMinutesOf } from '../timeframe-step.ts'
import type { Timeframe } from '../timeframe.ts'
import { calendarOf, type Calendar } from './calendar.ts'
import { dayOf } from './days.ts'
import { intradayBucket, type Bucket } from './intraday-bucket.ts'
import { periodOf } from './period.ts'
import type { SessionClass } from './session-class.ts'
import type { Session } from './session.ts'

export type Bucketer = (ms: number) => Bucket | null

const sharedBucketers = new Map<SessionClass, Map<Timeframe, Bucketer>>()

/**
 * The bucket at an instant (epoch milliseconds), or null outside trading. Below 1D the buckets of a session tile
 * it, counted from its open; 1D covers the session, 1W and 1M all sessions of the ISO week or month.
 */
export function bucketOf(sessionClass: SessionClass, timeframe: Timeframe, ms: number): Bucket | null {
  const known = sharedBucketers.get(sessionClass)?.get(timeframe)
  if (known !== undefined) return known(ms)
  const made = bucketer(sessionClass, timeframe)
  const ofClass = sharedBucketers.get(sessionClass) ?? new Map<Timeframe, Bucketer>()
  sharedBucketers.set(sessionClass, ofClass.set(timeframe, made))
  return made(ms)
}

/**
 * `bucketOf` for many instants of one series: remembers the last session and bucket, so that ascending
 * instants cost next to nothing. Instants of one bucket in a row get the same object.
 */
export function bucketer(sessionClass: SessionClass, timeframe: Timeframe): Bucketer {
  const calendar = calendarOf(sessionClass)
  const make = makerOf(calendar, timeframe)
  let session: Session | null = null
  let bucket: Bucket | null = null
  return (ms) => {
    if (session === null || !(ms >= session.openMs && ms < session.closeMs)) {
      const found = calendar.sessionAt(ms)
      if (found === null) return null
      session = found
    }
    if (bucket === null || ms < bucket.startMs || ms >= bucket.endMs) bucket = make(session, ms)
    return bucket
  }
}

/** Whether a one-minute candle may carry this stamp; of a closing auction that is its print's only. */
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
