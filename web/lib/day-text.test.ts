// Days as dd/mm/yyyy, and the weeks of a calendar.
import { expect, test } from 'vitest'
import { addDays, addMonths, dayText, readDay, weeksOf, withSlashes } from './day-text.ts'

test.each([
  ['', undefined],
  ['5/1', undefined],
  ['05/01/26', undefined],
  ['31/02/2026', undefined],
  ['00/01/2026', undefined],
  ['05/13/2026', undefined],
  ['2026-01-05', undefined],
  ['tomorrow', undefined],
  ['05/01/2026', '2026-01-05'],
  ['5/1/2026', '2026-01-05'],
  ['5-1-2026', '2026-01-05'],
  ['05.01.2026', '2026-01-05'],
  [' 05012026 ', '2026-01-05'],
  ['29/02/2028', '2028-02-29'],
])('%j is the day %s', (typed, day) => {
  expect(readDay(typed)).toBe(day)
  if (day !== undefined) expect(readDay(dayText(day))).toBe(day)
})

test.each([
  ['0', '', '0'],
  ['05', '0', '05/'],
  ['05/', '05', '05/'],
  ['05/01', '05/0', '05/01/'],
  ['05', '05/', '05'],
  ['05/01', '05/01/', '05/01'],
])('typing %j after %j shows %j', (typed, before, shown) => {
  expect(withSlashes(typed, before)).toBe(shown)
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2028-02-29', 12, '2029-02-28'],
])('%s and %i months is %s', (day, count, other) => {
  expect(addMonths(day, count)).toBe(other)
})

test('a calendar has whole weeks from Sunday', () => {
  const weeks = weeksOf('2026-11-20')
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual(['2026-11-01', '2026-12-05', 5])
  expect(weeksOf('2026-08-01').length).toBe(6)
  expect(weeksOf('2026-02-10').length).toBe(4)
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
})
