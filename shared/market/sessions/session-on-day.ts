// Turns the rows of a calendar file into the session of one date; slow, because zones are asked, so callers keep what they get.
import { dayMs } from '../../base/durations.ts'
import { dateOf, weekdayOf } from './days.ts'
import { easterDayOf } from './easter.ts'
import type { CalendarSource, ExchangeCalendar, HoursRule, SpecialSession } from './exchange-calendar.ts'
import type { Segment, Session, TimeWindow } from './session.ts'

/** The session of a day number, or null where there is none. */
export function sessionOnDay(source: CalendarSource, day: number): Session | null {
  const date = dateOf(day)
  const special = source.exchange.specialSessions.find((row) => row.date === date)
  if (special === undefined && !isUsualTradingDay(source.exchange, day)) return null
  const rule = ruleOn(source.rules, date)
  const at = clockOf(day, source.exchange.zone)
  return {
    date,
    ...tradingOf(specialHours(rule, special), at),
    // Sessions at an hour of their own have their own windows around them, which no row tells.
    preOpen: special?.hours ? null : windowOf(rule.preOpen, at),
    postClose: special?.hours ? null : windowOf(rule.postClose, at),
    note: special?.name ?? null,
    areTimesKnown: special?.areTimesKnown ?? true,
    isAssumed: !isCovered(source.exchange, date),
  }
}

/** Name of the holiday that keeps the exchange closed on a day number on which it would trade otherwise, or null. */
export function holidayOnDay(exchange: ExchangeCalendar, day: number): string | null {
  const date = dateOf(day)
  if (!exchange.weekdays.includes(weekdayOf(day)) || exchange.specialSessions.some((row) => row.date === date)) return null
  return exchange.holidays.find((row) => row.date === date)?.name ?? exchange.yearlyHolidays.find((row) => isYearly(row, day))?.name ?? null
}

function isYearly({ monthDay, easterDays }: ExchangeCalendar['yearlyHolidays'][number], day: number): boolean {
  const date = dateOf(day)
  if (easterDays !== undefined) return day === easterDayOf(Number(date.slice(0, 4))) + easterDays
  return monthDay !== undefined && date.endsWith(`-${monthDay}`)
}

function isUsualTradingDay(exchange: ExchangeCalendar, day: number): boolean {
  return exchange.weekdays.includes(weekdayOf(day)) && holidayOnDay(exchange, day) === null
}

function isCovered({ coveredFrom, coveredUntil }: ExchangeCalendar, date: string): boolean {
  return (coveredFrom === null || date >= coveredFrom) && (coveredUntil === null || date <= coveredUntil)
}

function ruleOn(rules: readonly HoursRule[], date: string): HoursRule {
  const rule = rules.findLast((row) => row.from <= date) ?? rules[0]
  if (rule === undefined) throw new Error('A calendar without hours')
  return rule
}

function specialHours(rule: HoursRule, special: SpecialSession | undefined): HoursRule {
  return special?.hours ? { ...rule, ...special.hours, closingAuction: null } : rule
}

type WallClock = (time: string, daysBefore?: number) => number

/** Reads wall clock times of a day in a zone as instants. */
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

function tradingOf(rule: HoursRule, at: WallClock): Pick<Session, 'openMs' | 'closeMs' | 'segments'> {
  const openMs = at(rule.open, rule.opensDayBefore ? 1 : 0)
  const continuous: Segment = { kind: 'continuous', startMs: openMs, endMs: at(rule.close) }
  if (rule.closingAuction === null) return { openMs, closeMs: continuous.endMs, segments: [continuous] }
  const [closeMs, printMs] = [at(rule.closingAuction.end), at(rule.closingAuction.print)]
  return { openMs, closeMs, segments: [continuous, { kind: 'closing-auction', startMs: continuous.endMs, endMs: closeMs, printMs }] }
}

function windowOf(row: HoursRule['preOpen'], at: WallClock): TimeWindow | null {
  return row === null ? null : { startMs: at(row.start), endMs: at(row.end) }
}
