// Validation of the password form.
import { expect, test } from 'vitest'
import { findPasswordIssue } from './reset-password-form.tsx'

const fillAll = 'Please fill all the fields'

test.each([
  ['', '', 'newPassword', fillAll],
  ['kesar-42', '', 'confirmPassword', fillAll],
  ['', 'kesar-42', 'newPassword', fillAll],
  ['kesar-42', 'Kesar-42', 'confirmPassword', 'Passwords do not match'],
  ['kesar-42', 'kesar-42', 'currentPassword', fillAll, ''],
  ['', '', 'currentPassword', fillAll, ''],
])('%j and %j have an error at %s: %s', (newPassword, confirmPassword, field, message, currentPassword?: string) => {
  const form = { newPassword, confirmPassword, ...(currentPassword === undefined ? {} : { currentPassword }) }
  expect(findPasswordIssue(form)).toEqual({ field, message })
})

test.each([[undefined], ['current']])('equal passwords have none; current password: %j', (currentPassword) => {
  const form = { newPassword: 'kesar-42', confirmPassword: 'kesar-42', ...(currentPassword === undefined ? {} : { currentPassword }) }
  expect(findPasswordIssue(form)).toBeUndefined()
})
