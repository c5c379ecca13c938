// Whether a market is open, and if not, when it opens.
import { calendarOf, type Calendar } from './calendar.ts'
import { dateOf, dayOf } from './day.ts'
import type { SessionClass } from './session-class.ts'
import type { Segment, Session } from './session.ts'
import { timeOfDay } from '#shared/base/time-of-day.ts'
import { calendarText } from '#shared/base/text/en.ts'

export type MarketState =
  | { readonly kind: 'open'; readonly session: Session; readonly segment: Segment }
  | {
      readonly kind: 'closed'
      /** Null if the calendar has run out. */
      readonly opensAtMs: number | null
      /** First holiday before the next opening, for example `Guru Nanak Jayanti`. */
      readonly reason: string | null
    }

/** Whether the market of a session class is open at an instant (epoch milliseconds), and when that changes. */
export function marketStateAt(sessionClass: SessionClass, ms: number): MarketState {
  const calendar = calendarOf(sessionClass)
  const session = calendar.sessionAt(ms)
  const segment = session?.segments.find(({ startMs, endMs }) => ms >= startMs && ms < endMs)
  if (session && segment) return { kind: 'open', session, segment }
  const opensAtMs = calendar.nextOpenMs(ms)
  return { kind: 'closed', opensAtMs, reason: holidayBetween(calendar, ms, opensAtMs ?? ms) }
}

/** First holiday between the dates of two instants, on the calendar's own clock. */
function holidayBetween(calendar: Calendar, fromMs: number, toMs: number): string | null {
  const [firstDay, lastDay] = [fromMs, toMs].map((ms) => dayIn(calendar.zone, ms))
  if (firstDay === undefined || lastDay === undefined) return null
  for (let day = firstDay; day <= lastDay; day += 1) {
    const name = calendar.holidayOn(dateOf(day))
    if (name !== null) return name
  }
  return null
}

function dayIn(zone: string, ms: number): number {
  return dayOf(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString())
}

/** Weekday and time such as `Mon 3:30 AM` of an instant (epoch milliseconds), in an IANA zone. */
export function openingTime(opensAtMs: number, zone: string): string {
  const opening = Temporal.Instant.fromEpochMilliseconds(opensAtMs).toZonedDateTimeISO(zone)
  return `${calendarText.weekdays[opening.dayOfWeek - 1]} ${timeOfDay(opening.hour, opening.minute)}`
}
