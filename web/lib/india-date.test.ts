// Dates and times in India, and ages.
import { expect, test } from 'vitest'
import { ageText, indiaDate, indiaDateTime } from './india-date.ts'

test.each([
  [null, '–'],
  ['2026-11-21T10:00:00.000Z', '21 Nov 2026'],
  // 18:30 UTC is midnight in India.
  ['2026-08-31T18:29:59.000Z', '31 Aug 2026'],
  ['2026-08-31T18:30:00.000Z', '01 Sep 2026'],
])('%s is the date %s', (iso, text) => {
  expect(indiaDate(iso)).toBe(text)
})

test('a timestamp has the time of India', () => {
  expect(indiaDateTime('2026-11-20T18:35:00.000Z')).toBe('21 Nov 2026, 12:05 AM')
})

test.each([
  [59, 'now'],
  [60, '1 min'],
  [3599, '59 min'],
  [3600, '1 h'],
  [86_399, '23 h'],
  [172_800, '2 d'],
])('%d seconds ago reads %s', (ageSeconds, text) => {
  const nowMs = Date.parse('2026-11-21T10:00:00Z')
  expect(ageText(new Date(nowMs - ageSeconds * 1000).toISOString(), nowMs)).toBe(text)
})
