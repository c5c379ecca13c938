// Calendar files: sources, order, and no contradicting rows.
import { describe, expect, it } from 'vitest'
import { calendarOf } from './calendar.ts'
import { dateOf, dayOf, weekdayOf } from './day.ts'
import { calendarSourceOf } from './exchange-calendar.ts'
import { sessionClasses } from './session-class.ts'

const isDate = (text: string) => Number.isInteger(dayOf(text)) && dateOf(dayOf(text)) === text
const isTime = (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)

describe.each(sessionClasses)('the calendar of %s', (sessionClass) => {
  const { exchange, rules } = calendarSourceOf(sessionClass)
  const dated = [...exchange.holidays, ...exchange.specialSessions]

  it('has a source in every row', () => {
    const rows = [...dated, ...exchange.yearlyHolidays, ...rules]
    expect(rows.filter(({ sourceRef }) => sourceRef.trim().length < 10)).toEqual([])
  })

  it('has valid dates, ascending and unique', () => {
    for (const dates of [exchange.holidays, exchange.specialSessions].map((rows) => rows.map((row) => row.date))) {
      expect(dates.filter((date) => !isDate(date))).toEqual([])
      expect(dates).toEqual([...new Set(dates)].toSorted())
    }
    const days = exchange.yearlyHolidays.map(({ monthDay, easterDays }) =>
      monthDay === undefined ? easterDays : isDate(`2027-${monthDay}`),
    )
    expect(days.filter((day) => typeof day !== 'number' && day !== true)).toEqual([])
  })

  it('lists only holidays that it covers, and no later date', () => {
    const [from, until] = [exchange.coveredFrom ?? '2026-01-01', exchange.coveredUntil ?? exchange.shortDaysUntil ?? '']
    expect(exchange.holidays.filter(({ date }) => date < from)).toEqual([])
    expect(dated.filter(({ date }) => date > until)).toEqual([])
  })

  it('has a special session only where there would be none, or one with other hours', () => {
    const needed = exchange.specialSessions.filter(
      ({ date, hours }) =>
        !exchange.weekdays.includes(weekdayOf(dayOf(date))) ||
        exchange.holidays.some((row) => row.date === date) ||
        // Holiday lists of past years are not included, only that Diwali was a holiday.
        (hours !== null && date < (exchange.coveredFrom ?? '')) ||
        rules.every((rule) => hours !== null && hours.open === rule.open && hours.close !== rule.close),
    )
    expect(needed).toEqual(exchange.specialSessions)
  })

  it('counts holiday trading to the next session', () => {
    for (const { date, tradeDate } of exchange.specialSessions) {
      if (tradeDate === undefined) continue
      expect(calendarOf(sessionClass).nextSession(date)?.date).toBe(tradeDate)
      expect(exchange.weekdays).toContain(weekdayOf(dayOf(date)))
    }
  })

  it('has consecutive rules with consecutive times', () => {
    const starts = rules.map(({ from }) => from)
    expect(starts.length).toBeGreaterThan(0)
    expect(starts.filter((date) => !isDate(date))).toEqual([])
    expect(starts).toEqual([...new Set(starts)].toSorted())
    for (const { open, opensDayBefore, close, closingAuction, closingValues, preOpen, postClose } of rules) {
      const windows = [preOpen, postClose].flatMap((row) => (row === null ? [] : [row.start, row.end]))
      const auction = closingAuction === null ? [closingValues?.end ?? close] : [closingAuction.print, closingAuction.end]
      expect([open, close, ...windows, ...auction].filter((time) => !isTime(time))).toEqual([])
      const day = [preOpen?.start, preOpen?.end, open, close, ...auction, postClose?.start, postClose?.end].filter(
        (time) => time !== undefined,
      )
      expect(opensDayBefore || day.join() === day.toSorted().join()).toBe(true)
    }
  })
})

it('closes BSE on the same dates as NSE', () => {
  const dates = (sessionClass: 'nse-index' | 'bse-index') => calendarSourceOf(sessionClass).exchange.holidays.map(({ date }) => date)
  expect(dates('bse-index')).toEqual(dates('nse-index'))
  expect(calendarSourceOf('bse-index').exchange.specialSessions.map(({ date, hours }) => [date, hours])).toEqual(
    calendarSourceOf('nse-index').exchange.specialSessions.map(({ date, hours }) => [date, hours]),
  )
})

/** The n-th weekday (1 is Monday) of a month; the last one for n = -1. */
function weekdayOfMonth(month: string, weekday: number, n: number): string {
  const first = Temporal.PlainDate.from(`${month}-01`)
  const days = Array.from({ length: first.daysInMonth }, (_, index) => first.add({ days: index })).filter(
    (day) => day.dayOfWeek === weekday,
  )
  return (n < 0 ? days.at(n) : days[n - 1])?.toString() ?? ''
}

/** A holiday on a weekend is observed on the Friday before or the Monday after. */
function observed(date: string): string {
  const day = Temporal.PlainDate.from(date)
  return day.add({ days: day.dayOfWeek === 6 ? -1 : day.dayOfWeek === 7 ? 1 : 0 }).toString()
}

it.each(['2026', '2027'])('has the US holidays of %s by their rules', (year) => {
  const dates = [
    weekdayOfMonth(`${year}-01`, 1, 3),
    weekdayOfMonth(`${year}-02`, 1, 3),
    weekdayOfMonth(`${year}-05`, 1, -1),
    observed(`${year}-06-19`),
    observed(`${year}-07-04`),
    weekdayOfMonth(`${year}-09`, 1, 1),
    weekdayOfMonth(`${year}-11`, 4, 4),
  ]
  for (const sessionClass of ['cme', 'comex'] as const) {
    const rows = calendarSourceOf(sessionClass).exchange.specialSessions.filter(({ date }) => date.startsWith(year))
    expect(rows.filter(({ tradeDate }) => tradeDate !== undefined).map(({ date }) => date)).toEqual(dates)
    expect(calendarOf(sessionClass).sessionOn(observed(`${year}-12-25`))).toBeNull()
  }
  const ofMetals = calendarSourceOf('metals').exchange.specialSessions.map(({ date }) => date)
  expect(dates.filter((date) => !ofMetals.includes(date))).toEqual([])
})

it.each(sessionClasses)('computed hours of %s are not marked as known', (sessionClass) => {
  const rows = calendarSourceOf(sessionClass).exchange.specialSessions
  const computed = rows.filter(({ sourceRef }) => sourceRef.startsWith('Computed'))
  expect(computed.filter(({ areTimesKnown }) => areTimesKnown)).toEqual([])
  expect(computed.length > 0).toBe(['cme', 'comex', 'metals'].includes(sessionClass))
})
