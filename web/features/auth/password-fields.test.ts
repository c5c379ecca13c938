// Order of the password form's errors.
import { expect, test } from 'vitest'
import { findNewPasswordIssue, noPasswords, passwordFields, serverPasswordIssue } from './password-fields.ts'

const whole = { currentPassword: 'old-one', newPassword: 'new-one', confirmPassword: 'new-one' }
const byLink = ['newPassword', 'confirmPassword'] as const

test.each([
  ['an own change', passwordFields, noPasswords, 'currentPassword', 'Please fill in all fields'],
  ['no confirmation', passwordFields, { ...whole, confirmPassword: '' }, 'confirmPassword', 'Please fill in all fields'],
  ['different passwords', passwordFields, { ...whole, confirmPassword: 'other' }, 'confirmPassword', 'Passwords do not match'],
  [
    'a short password',
    byLink,
    { ...whole, newPassword: '12345', confirmPassword: '12345' },
    'newPassword',
    'Password must be at least 6 characters long',
  ],
] as const)('%s', (_, shown, values, field, message) => {
  expect(findNewPasswordIssue(shown, values)).toEqual({ field, message })
})

test('a complete form has no error, and the reset link form does not ask for the current password', () => {
  expect(findNewPasswordIssue(passwordFields, whole)).toBeUndefined()
  expect(findNewPasswordIssue(byLink, { ...whole, currentPassword: '' })).toBeUndefined()
})

test('a server error is shown at its field, and only if the field is visible', () => {
  expect(serverPasswordIssue(passwordFields, { newPassword: 'n', currentPassword: 'c' })).toEqual({
    field: 'currentPassword',
    message: 'c',
  })
  expect(serverPasswordIssue(byLink, { password: 'p' })).toEqual({ field: 'newPassword', message: 'p' })
  expect(serverPasswordIssue(byLink, { currentPassword: 'c', token: 't' })).toBeUndefined()
})
