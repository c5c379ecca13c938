// Faults of the password forms in their order, and the token of the link.
import { expect, test } from 'vitest'
import { findNewPasswordFault, noPasswords, passwordFields, readToken, serverPasswordFault } from './password-rules.ts'

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
  expect(findNewPasswordFault(shown, values)).toEqual({ field, message })
})

test('nothing is wrong with a whole form, and by link nobody asks for the current password', () => {
  expect(findNewPasswordFault(passwordFields, whole)).toBeUndefined()
  expect(findNewPasswordFault(byLink, { ...whole, currentPassword: '' })).toBeUndefined()
})

test('what the server names lands on its field, and only on a shown one', () => {
  expect(serverPasswordFault(passwordFields, { newPassword: 'n', currentPassword: 'c' })).toEqual({
    field: 'currentPassword',
    message: 'c',
  })
  expect(serverPasswordFault(byLink, { password: 'p' })).toEqual({ field: 'newPassword', message: 'p' })
  expect(serverPasswordFault(byLink, { currentPassword: 'c', token: 't' })).toBeUndefined()
})

test.each([
  ['#token=abc-_1', 'abc-_1'],
  ['#token=', undefined],
  ['#other=abc', undefined],
  ['', undefined],
])('the token of %j is %j', (hash, token) => {
  expect(readToken(hash)).toBe(token)
})
