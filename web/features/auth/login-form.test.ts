// State of the sign-in and sign-up form: typing, errors, phone hint, and reset after a sign-up.
import { authText } from '#shared/auth/text/en.ts'
import { expect, test } from 'vitest'
import { emptyLoginForm, findLoginIssue, phoneHintOf, loginReducer, serverLoginIssue } from './login-form.ts'

const whole = { name: 'Asha', email: 'asha@example.in', phone: '9876543210', password: 'secret', confirmPassword: 'secret' }
const ticks = { isAdult: true, isAgreed: true }
const emailIssue = { field: 'email', message: authText.emailInvalid } as const

test.each([
  ['98-76 a', '9876'],
  ['98765432101', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  ['', ''],
])('typing %j as phone keeps %j', (value, kept) => {
  expect(loginReducer(emptyLoginForm, { type: 'typed', field: 'phone', value }).values.phone).toBe(kept)
})

test('a password keeps every character', () => {
  expect(loginReducer(emptyLoginForm, { type: 'typed', field: 'password', value: ' a b ' }).values.password).toBe(' a b ')
})

test('typing clears the error of its own field only', () => {
  const invalid = loginReducer(emptyLoginForm, { type: 'rejected', issue: emailIssue })
  expect(loginReducer(invalid, { type: 'typed', field: 'password', value: 'x' }).issue).toEqual(emailIssue)
  expect(loginReducer(invalid, { type: 'typed', field: 'email', value: 'x' }).issue).toBeUndefined()
})

test('the same error found twice is a new object, so that the focus moves again', () => {
  const once = loginReducer(emptyLoginForm, { type: 'rejected', issue: { ...emailIssue } })
  const twice = loginReducer(once, { type: 'rejected', issue: { ...emailIssue } })
  expect(twice.issue).not.toBe(once.issue)
})

test('after a sign-up only the email is kept', () => {
  const form = loginReducer({ values: whole, ticks, issue: emailIssue }, { type: 'signed-up' })
  expect(form).toEqual({ ...emptyLoginForm, values: { ...emptyLoginForm.values, email: whole.email } })
})

test.each([
  ['sign-in', { ...whole, name: '', phone: '', confirmPassword: '' }, undefined],
  ['sign-up', { ...whole, name: '' }, { field: 'name', message: 'Please fill in all fields' }],
  ['sign-up', { ...whole, phone: '987' }, { field: 'phone', message: 'Phone number must be 10 digits' }],
  ['sign-up', whole, undefined],
] as const)('a %s of %j has the error %j', (mode, values, issue) => {
  expect(findLoginIssue(mode, { values, ticks })).toEqual(issue)
})

test.each([
  [
    { isAdult: false, isAgreed: false },
    { field: 'isAdult', message: 'Please confirm that you are 18 or older' },
  ],
  [
    { isAdult: true, isAgreed: false },
    { field: 'isAgreed', message: 'Please read the privacy notice and agree to it' },
  ],
] as const)('a complete sign-up with the boxes %j has the error %j, and field errors come first', (boxes, issue) => {
  expect(findLoginIssue('sign-up', { values: whole, ticks: boxes })).toEqual(issue)
  expect(findLoginIssue('sign-up', { values: { ...whole, phone: '987' }, ticks: boxes })).toEqual({
    field: 'phone',
    message: 'Phone number must be 10 digits',
  })
  expect(findLoginIssue('sign-in', { values: whole, ticks: boxes })).toBeUndefined()
})

test('ticking a box clears its error; both boxes start empty and are empty again after a sign-up', () => {
  const issue = { field: 'isAgreed', message: 'm' } as const
  const invalid = loginReducer(emptyLoginForm, { type: 'rejected', issue })
  expect(invalid.ticks).toEqual({ isAdult: false, isAgreed: false })
  expect(loginReducer(invalid, { type: 'ticked', box: 'isAdult', isTicked: true }).issue).toEqual(issue)
  const cleared = loginReducer(invalid, { type: 'ticked', box: 'isAgreed', isTicked: true })
  expect(cleared).toEqual({ ...emptyLoginForm, ticks: { isAdult: false, isAgreed: true } })
  expect(loginReducer(cleared, { type: 'signed-up' }).ticks).toEqual({ isAdult: false, isAgreed: false })
})

test.each([
  ['', undefined],
  ['9', 'Phone number must be 10 digits'],
  ['987654321', 'Phone number must be 10 digits'],
  ['9876543210', undefined],
  ['91987654321', 'Phone number must be 10 digits'],
  ['2876543210', 'Mobile numbers in India begin with 6 to 9'],
])('the phone %j has the hint %j', (phone, hint) => {
  expect(phoneHintOf(phone)).toBe(hint)
})

test('a server error is shown at its field, in the order of the form', () => {
  expect(serverLoginIssue('sign-up', { password: 'p', email: 'e' })).toEqual({ field: 'email', message: 'e' })
})

test('a field that the form does not show has no error', () => {
  expect(serverLoginIssue('sign-in', { phone: 'p' })).toBeUndefined()
  expect(serverLoginIssue('sign-up', { other: 'o' })).toBeUndefined()
})
