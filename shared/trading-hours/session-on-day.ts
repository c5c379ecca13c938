// Converts calendar rows to the session of one date; slow because of time-zone lookups, so callers cache it.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { dateOf, dayOf, weekdayOf } from './day.ts'
import type { CalendarSource, ExchangeCalendar, HoursRule, SpecialSession } from './exchange-calendar.ts'
import type { Segment, Session, TimeWindow } from './session.ts'

/** The session of a day number, or null. */
export function sessionOnDay(source: CalendarSource, day: number): Session | null {
  const date = dateOf(day)
  const { exchange } = source
  const special = specialOn(exchange, date)
  if (special?.tradeDate !== undefined || (special === undefined && !isUsualTradingDay(exchange, day))) return null
  const rule = ruleOn(source.rules, date)
  const at = clockOf(day, exchange.zone)
  const holidays = exchange.specialSessions.filter((row) => row.tradeDate === date)
  const rows = special === undefined ? holidays : [...holidays, special]
  return {
    date,
    ...spanOf([...holidays.flatMap((row) => holidaySegments(source, row)), ...segmentsOf(specialHours(rule, special), at)]),
    // The calendar lists no pre-open or post-close for special sessions.
    preOpen: special?.hours ? null : windowOf(rule.preOpen, at),
    postClose: special?.hours ? null : windowOf(rule.postClose, at),
    note: rows.at(-1)?.name ?? null,
    areTimesKnown: rows.every(({ areTimesKnown }) => areTimesKnown),
    isAssumed: special === undefined && !isCoveredDate(exchange, date),
  }
}

/** On a usual date without a list, trading this many hours after the open is a special session, for example in the evening. */
const unlistedEveningHours = 8

/**
 * Possible trading on a date that no exchange list covers, outside of the known hours: any time
 * of a weekend from the usual open on, and the evening of a usual date. Null if the calendar rules it out.
 */
export function unlistedSessionOnDay(source: CalendarSource, day: number): Session | null {
  const date = dateOf(day)
  if (isCoveredDate(source.exchange, date)) return null
  const at = clockOf(day, source.exchange.zone)
  const listed = sessionOnDay(source, day)
  const openMs = at(ruleOn(source.rules, date).open)
  const eveningMs = openMs + unlistedEveningHours * hourMs
  const windows =
    listed === null
      ? [{ startMs: openMs, endMs: at('24:00') }]
      : [
          { startMs: openMs, endMs: listed.openMs },
          { startMs: Math.max(listed.closeMs, eveningMs), endMs: at('24:00') },
        ]
  const segments = windows.filter(({ startMs, endMs }) => startMs < endMs).map((window): Segment => ({ kind: 'continuous', ...window }))
  return { date, ...spanOf(segments), preOpen: null, postClose: null, note: null, areTimesKnown: false, isAssumed: true }
}

/** Name of the holiday that closes the exchange on a usual trading day, or null. */
export function holidayOnDay(exchange: ExchangeCalendar, day: number): string | null {
  const date = dateOf(day)
  if (!exchange.weekdays.includes(weekdayOf(day))) return null
  const special = specialOn(exchange, date)
  if (special !== undefined) return special.tradeDate === undefined ? null : special.name
  return exchange.holidays.find((row) => row.date === date)?.name ?? exchange.yearlyHolidays.find((row) => isYearly(row, day))?.name ?? null
}

/** The later trading date of a date's trades by a row of the calendar; null without such a row. */
export function laterTradeDate(exchange: ExchangeCalendar, date: string): string | null {
  return specialOn(exchange, date)?.tradeDate ?? null
}

function specialOn(exchange: ExchangeCalendar, date: string): SpecialSession | undefined {
  return exchange.specialSessions.find((row) => row.date === date)
}

function isYearly({ monthDay, easterDays }: ExchangeCalendar['yearlyHolidays'][number], day: number): boolean {
  const date = dateOf(day)
  if (easterDays !== undefined) return day === easterDayOf(Number(date.slice(0, 4))) + easterDays
  return monthDay !== undefined && date.endsWith(`-${monthDay}`)
}

/** Day number of Easter Sunday in a year of the Gregorian calendar (Meeus/Jones/Butcher algorithm). */
export function easterDayOf(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const count = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(count / 31) - 1, (count % 31) + 1) / dayMs
}

function isUsualTradingDay(exchange: ExchangeCalendar, day: number): boolean {
  return exchange.weekdays.includes(weekdayOf(day)) && holidayOnDay(exchange, day) === null
}

function isCoveredDate({ coveredFrom, coveredUntil }: ExchangeCalendar, date: string): boolean {
  return (coveredFrom === null || date >= coveredFrom) && (coveredUntil === null || date <= coveredUntil)
}

function ruleOn(rules: readonly HoursRule[], date: string): HoursRule {
  const rule = rules.findLast((row) => row.from <= date) ?? rules[0]
  if (rule === undefined) throw new Error('A calendar without hours')
  return rule
}

function specialHours(rule: HoursRule, special: SpecialSession | undefined): HoursRule {
  return special?.hours ? { ...rule, ...special.hours, closingAuction: null, closingValues: undefined } : rule
}

function holidaySegments({ exchange, rules }: CalendarSource, row: SpecialSession): Segment[] {
  return segmentsOf(specialHours(ruleOn(rules, row.date), row), clockOf(dayOf(row.date), exchange.zone))
}

type WallClock = (time: string, daysBefore?: number) => number

/** Converts wall clock times of a day in a zone to instants. */
function clockOf(day: number, zone: string): WallClock {
  return (time, daysBefore = 0) => {
    const hour = Number(time.slice(0, 2))
    const date = new Date((day - daysBefore + Math.floor(hour / 24)) * dayMs)
    return new Temporal.PlainDateTime(
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      hour % 24,
      Number(time.slice(3, 5)),
    ).toZonedDateTime(zone).epochMilliseconds
  }
}

function segmentsOf(rule: HoursRule, at: WallClock): Segment[] {
  const endMs = at(rule.close)
  const continuous: Segment = { kind: 'continuous', startMs: at(rule.open, rule.opensDayBefore ? 1 : 0), endMs }
  if (rule.closingValues !== undefined) return [continuous, { kind: 'closing-values', startMs: endMs, endMs: at(rule.closingValues.end) }]
  if (rule.closingAuction === null) return [continuous]
  const { end, print } = rule.closingAuction
  return [continuous, { kind: 'closing-auction', startMs: endMs, endMs: at(end), printMs: at(print) }]
}

function spanOf(segments: readonly Segment[]): Pick<Session, 'openMs' | 'closeMs' | 'segments'> {
  return { openMs: segments[0]?.startMs ?? 0, closeMs: segments.at(-1)?.endMs ?? 0, segments }
}

function windowOf(row: HoursRule['preOpen'], at: WallClock): TimeWindow | null {
  return row === null ? null : { startMs: at(row.start), endMs: at(row.end) }
}
