// Easter Sundays from published tables, with the earliest and the latest ones.
import { expect, test } from 'vitest'
import { dateOf, weekdayOf } from './day.ts'
import { easterDayOf } from './session-on-day.ts'

test.each([
  '1970-03-29',
  '1981-04-19',
  '2000-04-23',
  '2008-03-23',
  '2011-04-24',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2028-04-16',
  '2038-04-25',
  '2076-04-19',
])('is %s', (date) => {
  expect(dateOf(easterDayOf(Number(date.slice(0, 4))))).toBe(date)
})

test('is a Sunday from 22 March to 25 April in every year', () => {
  for (let year = 1970; year < 2200; year += 1) {
    const day = easterDayOf(year)
    expect(weekdayOf(day)).toBe(7)
    expect(dateOf(day) >= `${year}-03-22` && dateOf(day) <= `${year}-04-25`).toBe(true)
  }
})
