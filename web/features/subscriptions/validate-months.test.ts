// Validation of subscription months typed by an admin.
import { expect, test } from 'vitest'
import { findMonthsIssue } from './validate-months.ts'

test.each([
  ['', 'Please enter the number of months'],
  ['  ', 'Please enter the number of months'],
  ['0', 'Please enter a valid number greater than 0'],
  ['-1', 'Please enter a valid number greater than 0'],
  ['three', 'Please enter a valid number greater than 0'],
  ['Infinity', 'Please enter a valid number greater than 0'],
  ['1e1', 'Please enter a valid number greater than 0'],
  ['0x10', 'Please enter a valid number greater than 0'],
  ['५', 'Please enter a valid number greater than 0'],
  ['1', undefined],
  [' 12 ', undefined],
])('%j gives %j', (typed, issue) => {
  expect(findMonthsIssue(typed)).toBe(issue)
})
