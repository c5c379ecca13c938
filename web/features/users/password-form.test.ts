// Validation of the password form.
import { expect, test } from 'vitest'
import { findPasswordIssue } from './password-form.ts'

test.each([
  ['', '', 'Please fill all the fields'],
  ['kesar-42', '', 'Please fill all the fields'],
  ['', 'kesar-42', 'Please fill all the fields'],
  ['kesar-42', 'Kesar-42', 'Passwords do not match'],
  ['kesar-42', 'kesar-42', undefined],
  ['kesar-42', 'kesar-42', 'Please fill all the fields', ''],
  ['kesar-42', 'kesar-42', undefined, 'current'],
])('%j and %j give the error %j', (newPassword, confirmPassword, issue, currentPassword?: string) => {
  expect(findPasswordIssue({ newPassword, confirmPassword, ...(currentPassword === undefined ? {} : { currentPassword }) })).toBe(issue)
})
