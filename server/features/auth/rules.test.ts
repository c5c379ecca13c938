// Rules for new passwords, the fields of forms, session lifetimes by role to the millisecond, and the age of a confirmation.
import { expect, test } from 'vitest'
import { rejectWait } from '#server/http/rate-limiter.ts'
import { requireRecentPassword } from '#server/http/session.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { authServerText, authText } from '#shared/auth/text/en.ts'
import { isCommonPassword, isSessionActive, rejectEmpty, rejectField, rejectLength, rejectWeakPassword } from './rules.ts'

// Neither the local part of the email nor the name is in the list itself.
const user = { email: 'r.kesarwala@example.in', name: ' Ravi Kesarwala ', role: 'user' } as const
const admin = { ...user, role: 'admin' } as const

/** Matches the issue at one field; a second field is a difference. */
function issueAt(field: string, message: string): unknown {
  return expect.objectContaining({ kind: 'invalid', message, details: { fields: { [field]: expect.anything() } } })
}

test.each([
  [user, '12345', authText.passwordShort],
  [user, 'x'.repeat(257), authText.passwordLong],
  [user, 'password', authServerText.passwordCommon],
  [admin, 'Kesar-Chai-', adminText.passwordAdminShort],
  // Length counts characters, not UTF-16 units.
  [admin, '😀'.repeat(11), adminText.passwordAdminShort],
  [admin, 'password', adminText.passwordAdminShort],
  [admin, 'r.kesarwala@example.in', authServerText.passwordCommon],
] as const)('the account %j may not have the password %s', (account, password, message) => {
  expect(() => rejectWeakPassword(password, account)).toThrow(issueAt('newPassword', message))
})

test.each([
  [user, 'Kesar1'],
  [user, 'Kesar-Chai-'],
  [admin, 'Kesar-Chai-4'],
  [admin, '😀'.repeat(12)],
] as const)('the account %j may have the password %s', (account, password) => {
  expect(() => rejectWeakPassword(password, account)).not.toThrow()
})

test('length is checked without an account', () => {
  expect(() => rejectLength('12345')).toThrow(issueAt('newPassword', authText.passwordShort))
  expect(() => rejectLength('password')).not.toThrow()
})

test('an issue has its field and its code', () => {
  expect(() => rejectField('token', 'admin.linkInvalid')).toThrow(issueAt('token', adminText.linkInvalid))
  expect(() => rejectField('token', 'admin.linkInvalid')).toThrow(expect.objectContaining({ wireMessage: { code: 'admin.linkInvalid' } }))
})

test('the first empty field of a form is reported', () => {
  expect(() => rejectEmpty({ currentPassword: 'x', newPassword: ' ', confirmPassword: '' })).toThrow(
    issueAt('newPassword', adminText.fillAllFields),
  )
  expect(() => rejectEmpty({ currentPassword: 'x', newPassword: ' y ' })).not.toThrow()
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
  // Nine characters after the word, and a number before it.
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

const nowMs = Date.parse('2026-11-20T12:00:00+05:30')

test.each([
  ['user', 7 * dayMs, 30 * dayMs],
  ['admin', 30 * minuteMs, 12 * hourMs],
] as const)('the session of a role %s ends after %i ms without use and %i ms in all', (role, idleMs, absoluteMs) => {
  const isAliveAfter = (age: number, idle: number) => isSessionActive({ createdAtMs: nowMs - age, lastSeenAtMs: nowMs - idle }, role, nowMs)
  expect(isAliveAfter(idleMs, idleMs)).toBe(false)
  expect(isAliveAfter(idleMs, idleMs - 1)).toBe(true)
  expect(isAliveAfter(absoluteMs, 0)).toBe(false)
  expect(isAliveAfter(absoluteMs - 1, 0)).toBe(true)
  expect(isAliveAfter(0, 0)).toBe(true)
})

test('a password counts as recent for 15 minutes', () => {
  const confirmed = (agoMs: number) => () => requireRecentPassword({ confirmedAtMs: nowMs - agoMs }, nowMs)
  expect(confirmed(15 * minuteMs + 1)).toThrow(
    expect.objectContaining({ kind: 'forbidden', message: adminText.confirmPassword, wireMessage: { code: 'admin.confirmPassword' } }),
  )
  expect(confirmed(15 * minuteMs)).not.toThrow()
  expect(confirmed(0)).not.toThrow()
})

test('a wait is an error that names its seconds, and no wait is none', () => {
  expect(() => rejectWait(5)).toThrow(expect.objectContaining({ kind: 'too-many', details: { retryAfterSeconds: 5 } }))
  expect(() => rejectWait(undefined)).not.toThrow()
})
