// Days as dd/mm/yyyy, and the weeks of a calendar.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
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
  ['05//', '05/', '05/'],
  ['05/-', '05/', '05/'],
  ['05/01/ ', '05/01/', '05/01/'],
  ['5/11', '5/1', '5/11/'],
  ['051', '05', '05/1'],
  ['05/012', '05/01', '05/01/2'],
])('typing %j after %j shows %j', (typed, before, shown) => {
  expect(withSlashes(typed, before)).toBe(shown)
})

/** The field takes ten characters. */
const typed = (keys: string, before = ''): string =>
  [...keys].reduce((field, key) => {
    if (key === '<') return withSlashes(field.slice(0, -1), field)
    return field.length < 10 ? withSlashes(field + key, field) : field
  }, before)

const days = fc.integer({ min: 0, max: 60_000 }).map((count) => addDays('1970-01-01', count))
const separators = fc.constantFrom('/', '-', '.', ' ')

test('every day can be typed with any separator between, with zeros before or without', () =>
  assertProperty(
    fc.property(days, separators, separators, fc.boolean(), (day, first, second, isShort) => {
      const [year = '', month = '', date = ''] = day.split('-').map((part) => (isShort ? String(Number(part)) : part))
      expect(readDay(typed(`${date}${first}${month}${second}${year}`))).toBe(day)
    }),
  ))

test('every day can be typed without separators, and with a wrong key taken back at any place', () =>
  assertProperty(
    fc.property(days, fc.constantFrom('', '/', '-'), fc.nat(9), fc.constantFrom('0', '7', 'x', '/', '-'), (day, separator, at, wrong) => {
      const keys = day.split('-').toReversed().join(separator)
      const before = typed(keys.slice(0, at))
      let field = typed(wrong, before)
      while (field.length > before.length) field = typed('<', field)
      expect(readDay(typed(keys.slice(at), field))).toBe(day)
    }),
  ))

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
