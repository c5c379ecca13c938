// The calendar files themselves: sourced, ordered, and free of rows that contradict each other.
import { describe, expect, it } from 'vitest'
import { dateOf, dayOf, weekdayOf } from './days.ts'
import { calendarSources } from './exchange-calendar.ts'
import { sessionClasses } from './session-class.ts'

const isDate = (text: string) => Number.isInteger(dayOf(text)) && dateOf(dayOf(text)) === text
const isTime = (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)

describe.each(sessionClasses)('the calendar of %s', (sessionClass) => {
  const { exchange, rules } = calendarSources[sessionClass]
  const dated = [...exchange.holidays, ...exchange.specialSessions]

  it('tells a source in every row', () => {
    const rows = [...dated, ...exchange.yearlyHolidays, ...rules]
    expect(rows.filter(({ sourceRef }) => sourceRef.trim().length < 10)).toEqual([])
  })

  it('has dates that exist, in order and once', () => {
    for (const dates of [exchange.holidays, exchange.specialSessions].map((rows) => rows.map((row) => row.date))) {
      expect(dates.filter((date) => !isDate(date))).toEqual([])
      expect(dates).toEqual([...new Set(dates)].toSorted())
    }
    const days = exchange.yearlyHolidays.map(({ monthDay, easterDays }) =>
      monthDay === undefined ? easterDays : isDate(`2027-${monthDay}`),
    )
    expect(days.filter((day) => typeof day !== 'number' && day !== true)).toEqual([])
  })

  it('names only dates that it covers', () => {
    const [from, until] = [exchange.coveredFrom ?? '2026-01-01', exchange.coveredUntil ?? exchange.shortDaysUntil ?? '']
    expect(dated.filter(({ date }) => date < from || date > until)).toEqual([])
  })

  it('has a special session only where there would be none, or one with other hours', () => {
    const needed = exchange.specialSessions.filter(
      ({ date, hours }) =>
        !exchange.weekdays.includes(weekdayOf(dayOf(date))) ||
        exchange.holidays.some((row) => row.date === date) ||
        rules.every((rule) => hours !== null && hours.open === rule.open && hours.close !== rule.close),
    )
    expect(needed).toEqual(exchange.specialSessions)
  })

  it('has rules that follow each other, with times that follow each other', () => {
    const starts = rules.map(({ from }) => from)
    expect(starts.length).toBeGreaterThan(0)
    expect(starts.filter((date) => !isDate(date))).toEqual([])
    expect(starts).toEqual([...new Set(starts)].toSorted())
    for (const { open, opensDayBefore, close, closingAuction, preOpen, postClose } of rules) {
      const windows = [preOpen, postClose].flatMap((row) => (row === null ? [] : [row.start, row.end]))
      const auction = closingAuction === null ? [] : [closingAuction.print, closingAuction.end]
      expect([open, close, ...windows, ...auction].filter((time) => !isTime(time))).toEqual([])
      const day = [preOpen?.start, preOpen?.end, open, close, ...auction, postClose?.start, postClose?.end].filter(
        (time) => time !== undefined,
      )
      expect(opensDayBefore || day.join() === day.toSorted().join()).toBe(true)
    }
  })
})

it('closes BSE on the dates of NSE', () => {
  const dates = (sessionClass: 'nse-index' | 'bse-index') => calendarSources[sessionClass].exchange.holidays.map(({ date }) => date)
  expect(dates('bse-index')).toEqual(dates('nse-index'))
  expect(calendarSources['bse-index'].exchange.specialSessions.map(({ date, hours }) => [date, hours])).toEqual(
    calendarSources['nse-index'].exchange.specialSessions.map(({ date, hours }) => [date, hours]),
  )
})
