// Day, week and month of every bar, for studies and session breaks.
import { dayMs } from '#shared/base/durations.ts'
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { PeriodColumns } from '#shared/indicators/lib/study.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { dateOf, dayOf, weekdayOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'

export interface PeriodIds {
  /** For all bars; computed lazily, because that is slow for a long history and only some studies need it. */
  readonly columns: PeriodColumns
  /** Day number of one bar, without computing the columns. */
  dayAt(index: number): number
  /** Bars from this one on are new or changed. */
  follow(bars: BarColumns, fromIndex: number): void
}

export function periodIds(sessionClass: SessionClass, timeframe: Timeframe): PeriodIds {
  const columns: PeriodColumns = { dayId: new Float64Array(0), weekId: new Float64Array(0), monthId: new Float64Array(0) }
  const spanOf = tradingDays(sessionClass, timeframe)
  let bars: Pick<BarColumns, 'timeMs' | 'length'> = { timeMs: new Float64Array(0), length: 0 }
  let done = 0

  function fill(): void {
    const { timeMs, length } = bars
    grow(columns, timeMs.length)
    let index = Math.min(done, length)
    done = length
    while (index < length) {
      // Hundreds of bars share a day.
      const { day, untilMs } = spanOf(timeMs[index] as number)
      let end = index + 1
      while (end < length && (timeMs[end] as number) < untilMs) end += 1
      columns.dayId.fill(day, index, end)
      columns.weekId.fill(weekIdOf(day), index, end)
      columns.monthId.fill(monthIdOf(day), index, end)
      index = end
    }
  }

  return {
    get columns() {
      if (done < bars.length) fill()
      return columns
    },
    dayAt: (index) => spanOf(bars.timeMs[index] as number).day,
    follow(next, fromIndex) {
      bars = next
      done = Math.min(done, fromIndex)
    },
  }
}

/** Known time range of one trading day. */
interface DaySpan {
  readonly day: number
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
}

/** Returns the trading day of a timestamp. */
function tradingDays(sessionClass: SessionClass, timeframe: Timeframe): (ms: number) => DaySpan {
  const isDaily = stepMinutesOf(timeframe) === undefined
  const calendar = calendarOf(sessionClass)
  let span: DaySpan = { day: 0, fromMs: 0, untilMs: 0 }

  function spanAt(ms: number): DaySpan {
    const utc = Math.floor(ms / dayMs)
    if (isDaily) return { day: utc, fromMs: utc * dayMs, untilMs: (utc + 1) * dayMs }
    const session = calendar.sessionOfTrade(ms)
    // Outside all sessions the UTC date is used.
    return session === null
      ? { day: utc, fromMs: ms, untilMs: ms + 1 }
      : { day: dayOf(session.date), fromMs: session.openMs, untilMs: session.closeMs }
  }

  return (ms) => {
    if (!(ms >= span.fromMs && ms < span.untilMs)) span = spanAt(ms)
    return span
  }
}

/** Week number of a day: the day number of its Monday. */
export function weekIdOf(day: number): number {
  return day - weekdayOf(day) + 1
}

export function monthIdOf(day: number): number {
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
