// What the form that sets a password refuses.
import { expect, test } from 'vitest'
import { findPasswordFault } from './password-form.ts'

test.each([
  ['', '', 'Please fill all the fields'],
  ['kesar-42', '', 'Please fill all the fields'],
  ['', 'kesar-42', 'Please fill all the fields'],
  ['kesar-42', 'Kesar-42', 'Passwords do not match'],
  ['kesar-42', 'kesar-42', undefined],
])('%j and %j give %j', (newPassword, confirmPassword, fault) => {
  expect(findPasswordFault({ newPassword, confirmPassword })).toBe(fault)
})
