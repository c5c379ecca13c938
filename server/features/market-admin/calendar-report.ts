// The trading calendars: how far each one reaches, and whether an operator must load the next year soon.
import type { MarketCalendar } from '#shared/market-admin/contract.ts'
import { calendarWarning, knownUntil } from '#shared/trading-hours/calendar-warning.ts'
import { calendarSourceOf, type ExchangeCalendar } from '#shared/trading-hours/exchange-calendar.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'

/** Every calendar once, with the session classes that share it, at an instant (epoch milliseconds). */
export function calendarReport(nowMs: number): MarketCalendar[] {
  const classesOf = new Map<ExchangeCalendar, [SessionClass, ...SessionClass[]]>()
  for (const sessionClass of sessionClasses) {
    const { exchange } = calendarSourceOf(sessionClass)
    const known = classesOf.get(exchange)
    if (known === undefined) classesOf.set(exchange, [sessionClass])
    else known.push(sessionClass)
  }
  return [...classesOf].map(([exchange, classes]) => ({
    sessionClasses: classes,
    version: exchange.version,
    coveredUntil: knownUntil(exchange),
    daysLeft: calendarWarning(classes[0], nowMs)?.daysLeft ?? null,
  }))
}
