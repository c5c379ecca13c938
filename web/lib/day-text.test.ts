// Days as dd/mm/yyyy.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dateOf } from '#shared/trading-hours/day.ts'
import { dayText, readDay, withSlashes } from './day-text.ts'

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

const days = fc.integer({ min: 0, max: 60_000 }).map(dateOf)
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
