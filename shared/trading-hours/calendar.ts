// Trading calendar of a session class: sessions by instant or date, and the next openings.
import { dayMs } from '#shared/base/durations.ts'
import { dayOf } from './day.ts'
import { calendarGeneration, calendarSourceOf } from './exchange-calendar.ts'
import type { SessionClass } from './session-class.ts'
import { holidayOnDay, laterTradeDate, sessionOnDay, unlistedSessionOnDay } from './session-on-day.ts'
import { openingsOf, type Session } from './session.ts'

export interface Calendar {
  /** Version of the calendar file. */
  readonly version: string
  /** IANA zone of its wall clock. */
  readonly zone: string
  /** Last date with known holidays; null if the rules hold for every year. */
  readonly coveredUntil: string | null
  /** Session of a trading date, for example `2026-11-23`, or null. */
  readonly sessionOn: (date: string) => Session | null
  /** Session that trades at an instant, or null; also null during a pause. */
  readonly sessionAt: (ms: number) => Session | null
  /**
   * Session that a trade at this instant belongs to. Like `sessionAt`; on dates without an exchange list it also covers
   * trades outside of the known hours, which no schedule can predict.
   */
  readonly sessionOfTrade: (ms: number) => Session | null
  /** Trading date of a date's trades: the date itself, or a later one for a Globex holiday; null without trading. */
  readonly tradeDateOf: (date: string) => string | null
  /** First session after a date; null if there is none within 40 days. */
  readonly nextSession: (date: string) => Session | null
  /** Last session before a date; null if there is none within 40 days. */
  readonly previousSession: (date: string) => Session | null
  /** First opening, or end of a pause, after an instant; null if the calendar has run out by then. */
  readonly nextOpenMs: (ms: number) => number | null
  /** Name of the holiday that closes a usual trading date, or null. */
  readonly holidayOn: (date: string) => string | null
}

/** Sessions exist from 1970-01-01 to 2199-12-31. */
const daysMax = dayOf('2200-01-01')
const searchDays = 40
/** Cache size: a lifetime of days, but not every day that a client may request. */
const rememberedMax = 20_000

/** In any time zone, the trading date is the UTC date or an adjacent one; most likely first. */
const usualNearDays = [0, 1, -1]
/** The evening before a holiday on a Friday counts to Monday. */
const holidayNearDays = [...usualNearDays, 2, 3, 4]

const calendars = new Map<SessionClass, Calendar>()

/**
 * Cached calendar of a session class. Outside the covered dates every usual weekday is a
 * session with the hours in force, marked `isAssumed`, so that data can be assigned; only `nextOpenMs` returns null there.
 */
export function calendarOf(sessionClass: SessionClass): Calendar {
  const known = calendars.get(sessionClass)
  if (known !== undefined) return known
  const made = makeCalendar(sessionClass)
  calendars.set(sessionClass, made)
  return made
}

function makeCalendar(sessionClass: SessionClass): Calendar {
  const exchange = () => calendarSourceOf(sessionClass).exchange
  const sessionOf = remembered((day) => sessionOnDay(calendarSourceOf(sessionClass), day))
  const unlistedOf = remembered((day) => unlistedSessionOnDay(calendarSourceOf(sessionClass), day))
  const nearDays = exchange().specialSessions.some((row) => row.tradeDate !== undefined) ? holidayNearDays : usualNearDays

  function sessionAt(ms: number): Session | null {
    const day = Math.floor(ms / dayMs)
    for (const distance of nearDays) {
      const session = sessionOf(day + distance)
      if (session !== null && isTradingAt(session, ms)) return session
    }
    return null
  }

  function sessionOfTrade(ms: number): Session | null {
    const listed = sessionAt(ms)
    if (listed !== null) return listed
    const day = Math.floor(ms / dayMs)
    const unlisted = usualNearDays.map((distance) => unlistedOf(day + distance))
    return unlisted.find((session) => session !== null && isTradingAt(session, ms)) ?? null
  }

  /** First matching session from a day on, in either direction. */
  function find(fromDay: number, step: 1 | -1, fits: (session: Session) => boolean): Session | null {
    for (let count = 0; count < searchDays; count += 1) {
      const session = sessionOf(fromDay + count * step)
      if (session !== null && fits(session)) return session
    }
    return null
  }

  return {
    get version() {
      return exchange().version
    },
    zone: exchange().zone,
    get coveredUntil() {
      return exchange().coveredUntil
    },
    sessionOn: (date) => sessionOf(dayOf(date)),
    sessionAt,
    sessionOfTrade,
    tradeDateOf: (date) => (sessionOf(dayOf(date)) === null ? laterTradeDate(exchange(), date) : date),
    nextSession: (date) => find(dayOf(date) + 1, 1, () => true),
    previousSession: (date) => find(dayOf(date) - 1, -1, () => true),
    nextOpenMs: (ms) => {
      const opening = (session: Session) => openingsOf(session).find((openingMs) => openingMs > ms)
      const next = find(Math.floor(ms / dayMs) - 1, 1, (session) => opening(session) !== undefined)
      const { coveredUntil } = exchange()
      return next === null || (coveredUntil !== null && next.date > coveredUntil) ? null : (opening(next) ?? null)
    },
    holidayOn: (date) => holidayOnDay(exchange(), dayOf(date)),
  }
}

function isTradingAt({ openMs, closeMs, segments }: Session, ms: number): boolean {
  if (!(ms >= openMs && ms < closeMs)) return false
  return segments.length === 1 || segments.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)
}

function remembered(make: (day: number) => Session | null): (day: number) => Session | null {
  const known = new Map<number, Session | null>()
  let generation = calendarGeneration()
  return (day) => {
    if (generation !== calendarGeneration()) known.clear()
    generation = calendarGeneration()
    const found = known.get(day)
    if (found !== undefined) return found
    // Also rejects NaN.
    if (!(day >= 0 && day < daysMax)) return null
    const session = make(day)
    if (known.size >= rememberedMax) known.clear()
    known.set(day, session)
    return session
  }
}
