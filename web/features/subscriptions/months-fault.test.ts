// The months of a subscription as an admin may type them.
import { expect, test } from 'vitest'
import { findMonthsFault } from './months-fault.ts'

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
])('%j gives %j', (typed, fault) => {
  expect(findMonthsFault(typed)).toBe(fault)
})
