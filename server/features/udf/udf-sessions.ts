// Trading hours of a class in UDF format: a regular day, the days off, and the days with other hours.
import { dayMs } from '#shared/base/durations.ts'
import { calendarOf, type Calendar } from '#shared/trading-hours/calendar.ts'
import { dateOf, dayOf, weekdayOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { openingsOf, tradingStretchAt, type Session, type TimeWindow } from '#shared/trading-hours/session.ts'

export interface UdfSession {
  readonly session: string
  readonly session_holidays: string
  readonly corrections: string
  readonly timezone: string
}

/** Days before and after today with listed exceptions. */
const exceptionDays = 370

const friday = 5

const known = new Map<SessionClass, { readonly day: number; readonly session: UdfSession }>()

/** Hours around an instant, epoch milliseconds; calculated once a day. */
export function udfSessionOf(sessionClass: SessionClass, nowMs: number): UdfSession {
  const day = Math.floor(nowMs / dayMs)
  const last = known.get(sessionClass)
  if (last?.day === day) return last.session
  const session = describe(sessionClass, day)
  known.set(sessionClass, { day, session })
  return session
}

function describe(sessionClass: SessionClass, today: number): UdfSession {
  if (sessionClass === 'crypto') return { session: '24x7', session_holidays: '', corrections: '', timezone: 'Etc/UTC' }
  const calendar = calendarOf(sessionClass)
  const hoursOf = clockOf(calendar.zone)
  const usual = hoursOf(usualSession(calendar, today))
  const holidays: string[] = []
  const datesByHours = new Map<string, string[]>()
  for (let day = today - exceptionDays; day <= today + exceptionDays; day += 1) {
    const date = dateOf(day)
    const session = calendar.sessionOn(date)
    const compact = date.replaceAll('-', '')
    if (session === null) {
      if (calendar.holidayOn(date) !== null) holidays.push(compact)
    } else if (hoursOf(session) !== usual || weekdayOf(day) > friday) {
      datesByHours.set(hoursOf(session), [...(datesByHours.get(hoursOf(session)) ?? []), compact])
    }
  }
  const corrections = [...datesByHours].map(([hours, dates]) => `${hours}:${dates.join(',')}`)
  return { session: usual, session_holidays: holidays.join(','), corrections: corrections.join(';'), timezone: calendar.zone }
}

/** The next regular session. */
function usualSession(calendar: Calendar, today: number): Session {
  for (let date = dateOf(today); ;) {
    const session = calendar.nextSession(date)
    if (session === null) throw new Error(`the calendar has no session after ${date}`)
    if (session.note === null) return session
    ;({ date } = session)
  }
}

/**
 * Hours of a session such as 0915-1530; if it opens on the evening before, the first is the later one. Hours that end before the
 * session's date, as on a Globex holiday, are written with the number of days before it: 1700F2-1200F1.
 */
function clockOf(zone: string): (session: Session) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const clock = (ms: number): string => format.format(ms).replace(':', '')
  const dayIn = (ms: number): number => dayOf(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString())
  return (session) => {
    const write = ({ startMs, endMs }: TimeWindow): string => {
      // The end is exclusive: midnight still belongs to the previous day.
      const [daysToStart, daysToEnd] = [startMs, endMs - 1].map((ms) => dayOf(session.date) - dayIn(ms)) as [number, number]
      return daysToEnd === 0 ? `${clock(startMs)}-${clock(endMs)}` : `${clock(startMs)}F${daysToStart}-${clock(endMs)}F${daysToEnd}`
    }
    const stretches = openingsOf(session).map((openingMs) => tradingStretchAt(session, openingMs))
    return stretches.map((stretch) => (stretch === null ? '' : write(stretch))).join(',')
  }
}
