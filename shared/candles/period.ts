// Calendar weeks and months of 1W and 1M candles.
import { dayMs } from '#shared/base/durations.ts'
import type { Calendar } from '#shared/trading-hours/calendar.ts'
import { dateOf, dayOf, weekdayOf } from '#shared/trading-hours/day.ts'
import type { Session } from '#shared/trading-hours/session.ts'

export interface Period {
  /** 00:00 UTC of the Monday, or of the first of the month. */
  readonly stampMs: number
  readonly first: Session
  readonly last: Session
  /** First session of the next period that has one; null if there is none within 40 days. */
  readonly next: Session | null
}

/** The period of a session: its ISO week, Monday to Sunday, or its month, by trading dates. */
export function periodOf(calendar: Calendar, timeframe: '1W' | '1M', session: Session): Period {
  const { firstDay, lastDay } = timeframe === '1W' ? weekAround(session.date) : monthAround(session.date)
  return {
    stampMs: firstDay * dayMs,
    first: calendar.nextSession(dateOf(firstDay - 1)) ?? session,
    last: calendar.previousSession(dateOf(lastDay + 1)) ?? session,
    next: calendar.nextSession(dateOf(lastDay)),
  }
}

interface DayRange {
  readonly firstDay: number
  readonly lastDay: number
}

function weekAround(date: string): DayRange {
  const day = dayOf(date)
  const firstDay = day - weekdayOf(day) + 1
  return { firstDay, lastDay: firstDay + 6 }
}

function monthAround(date: string): DayRange {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return { firstDay: Date.UTC(year, month - 1, 1) / dayMs, lastDay: Date.UTC(year, month, 0) / dayMs }
}
