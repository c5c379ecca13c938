// Which new passwords an account may have: length by role, the block list, and the field that an issue is shown at.
import { expect, test } from 'vitest'
import { adminText } from '#shared/text/en/admin.ts'
import { authText } from '#shared/text/en/auth.ts'
import { isCommonPassword } from './common-passwords.ts'
import { refuseEmpty, refuseField, refuseLength, refuseWeakPassword } from './password-rules.ts'

// Neither the mailbox nor the name is in the list itself.
const user = { email: 'r.kesarwala@example.in', name: ' Ravi Kesarwala ', role: 'user' } as const
const admin = { ...user, role: 'admin' } as const

/** Matches the issue at one field; a second field or another code is a difference. */
function issueAt(field: string, message: string, code = 'auth.invalid'): unknown {
  return expect.objectContaining({ kind: 'invalid', message, details: { code, fields: { [field]: message } } })
}

test.each([
  [user, '12345', authText.passwordShort],
  [user, 'x'.repeat(257), authText.passwordLong],
  [user, 'password', authText.passwordCommon],
  [admin, 'Kesar-Chai-', adminText.passwordAdminShort],
  // Length counts characters, not UTF-16 units.
  [admin, '😀'.repeat(11), adminText.passwordAdminShort],
  [admin, 'password', adminText.passwordAdminShort],
  [admin, 'r.kesarwala@example.in', authText.passwordCommon],
] as const)('the account %j may not have the password %s', (account, password, message) => {
  expect(() => refuseWeakPassword(password, account)).toThrow(issueAt('newPassword', message))
})

test.each([
  [user, 'Kesar1'],
  [user, 'Kesar-Chai-'],
  [admin, 'Kesar-Chai-4'],
  [admin, '😀'.repeat(12)],
] as const)('the account %j may have the password %s', (account, password) => {
  expect(() => refuseWeakPassword(password, account)).not.toThrow()
})

test('length is checked without an account', () => {
  expect(() => refuseLength('12345')).toThrow(issueAt('newPassword', authText.passwordShort))
  expect(() => refuseLength('password')).not.toThrow()
})

test('an issue names its field and, where given, its code', () => {
  expect(() => refuseField('token', 'No.', 'auth.link-invalid')).toThrow(issueAt('token', 'No.', 'auth.link-invalid'))
})

test('the first empty field of a form is named', () => {
  expect(() => refuseEmpty({ currentPassword: 'x', newPassword: ' ', confirmPassword: '' })).toThrow(
    issueAt('newPassword', adminText.fillAllFields),
  )
  expect(() => refuseEmpty({ currentPassword: 'x', newPassword: ' y ' })).not.toThrow()
})

test.each([
  '123456',
  'PASSWORD',
  'tezi',
  'Tezi123',
  'trading2026',
  'trader!',
  'NIFTY50',
  'banknifty99',
  'sensex#1',
  'premium12345678',
  'premium.1234567',
  'TradingView_1',
  'r.kesarwala@example.in',
  'R.Kesarwala@example.in',
  'R.Kesarwala',
  'ravi kesarwala',
  'Ravi Kesarwala',
])('%s is a common password', (password) => {
  expect(isCommonPassword(password, user)).toBe(true)
})

test.each([
  'Kesar-Chai-42',
  // Nine characters behind the word, and a number before it.
  'tezi123456789',
  'premium.12345678',
  '42tezi',
  'tezi42x',
  'tezi 42',
  'r.kesarwala@example',
  'example.in',
  'Ravi Kesarwala 42',
])('%s is not a common password', (password) => {
  expect(isCommonPassword(password, user)).toBe(false)
})
