// Times of day on a 12-hour clock.
import { expect, test } from 'vitest'
import { timeOfDay } from './time-of-day.ts'

test.each([
  [[0, 0], '12:00 AM'],
  [[9, 15], '9:15 AM'],
  [[12, 0], '12:00 PM'],
  [[14, 30], '2:30 PM'],
  [[23, 59, 5], '11:59:05 PM'],
  [[0, 5, 0], '12:05:00 AM'],
] as const)('%j reads %s', ([hour, minute, second], text) => {
  expect(timeOfDay(hour, minute, second)).toBe(text)
})
