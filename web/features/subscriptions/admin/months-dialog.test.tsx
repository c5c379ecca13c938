// Validation of subscription months typed by an admin.
import { expect, test } from 'vitest'
import { validateMonths } from './months-dialog.tsx'

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
  ['1.5', 'Enter a whole number from 1 to 120'],
  ['121', 'Enter a whole number from 1 to 120'],
  ['999', 'Enter a whole number from 1 to 120'],
  ['0.5', 'Enter a whole number from 1 to 120'],
])('%j gives %j', (typed, issue) => {
  expect(validateMonths(typed)).toEqual({ issue })
})

test.each([
  ['1', 1],
  [' 12 ', 12],
  ['120', 120],
])('%j is %i months', (typed, months) => {
  expect(validateMonths(typed)).toEqual({ months })
})
