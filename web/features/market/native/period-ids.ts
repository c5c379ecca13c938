// Day, week and month of every bar, as studies and session breaks need them.
import { dayMs } from '#shared/base/durations.ts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import type { PeriodColumns } from '#shared/market/indicators/study.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import { dateOf, dayOf, weekdayOf } from '#shared/market/sessions/days.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface PeriodIds {
  readonly columns: PeriodColumns
  /** Brings the ids up to date from a bar on. */
  fill(bars: BarColumns, fromIndex: number): void
}

export function periodIds(sessionClass: SessionClass, timeframe: Timeframe): PeriodIds {
  const columns: PeriodColumns = { dayId: new Float64Array(0), weekId: new Float64Array(0), monthId: new Float64Array(0) }
  const dayAt = tradingDay(sessionClass, timeframe)
  // Hundreds of bars share a day, and a date is made of it as a text.
  let [known, week, month] = [Number.NaN, Number.NaN, Number.NaN]
  return {
    columns,
    fill(bars, fromIndex) {
      grow(columns, bars.timeMs.length)
      for (let index = fromIndex; index < bars.length; index += 1) {
        const day = dayAt(bars.timeMs[index] as number)
        if (day !== known) [known, week, month] = [day, day - weekdayOf(day) + 1, monthOf(day)]
        columns.dayId[index] = day
        columns.weekId[index] = week
        columns.monthId[index] = month
      }
    },
  }
}

/** Day number of the trading date of a stamp. */
function tradingDay(sessionClass: SessionClass, timeframe: Timeframe): (ms: number) => number {
  if (stepMinutesOf(timeframe) === undefined) return (ms) => Math.floor(ms / dayMs)
  const calendar = calendarOf(sessionClass)
  let session = calendar.sessionAt(Number.NaN)
  let day = 0
  return (ms) => {
    if (session !== null && ms >= session.openMs && ms < session.closeMs) return day
    session = calendar.sessionAt(ms)
    // What lies outside all sessions keeps its date in UTC.
    day = session === null ? Math.floor(ms / dayMs) : dayOf(session.date)
    return day
  }
}

function monthOf(day: number): number {
  const [year = 0, month = 0] = dateOf(day).split('-').map(Number)
  return year * 12 + month
}

function grow(columns: PeriodColumns, capacity: number): void {
  if (columns.dayId.length >= capacity) return
  for (const name of ['dayId', 'weekId', 'monthId'] as const) {
    const longer = new Float64Array(capacity)
    longer.set(columns[name])
    columns[name] = longer
  }
}
