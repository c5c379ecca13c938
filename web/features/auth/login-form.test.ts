// The form as values: typing, faults, the hint, and what stays after a sign-up.
import { authText } from '#shared/text/en/auth.ts'
import { expect, test } from 'vitest'
import { emptyLoginForm, findLoginFault, phoneHintOf, reduceLogin, serverFaultOf } from './login-form.ts'

const whole = { name: 'Asha', email: 'asha@example.in', phone: '9876543210', password: 'secret', confirmPassword: 'secret' }
const ticks = { isAdult: true, isAgreed: true }
const emailFault = { field: 'email', message: authText.emailInvalid } as const

test.each([
  ['98-76 a', '9876'],
  ['98765432101', '9876543210'],
  ['', ''],
])('typing %j as phone keeps %j', (value, kept) => {
  expect(reduceLogin(emptyLoginForm, { type: 'typed', field: 'phone', value }).values.phone).toBe(kept)
})

test('a password keeps every character', () => {
  expect(reduceLogin(emptyLoginForm, { type: 'typed', field: 'password', value: ' a b ' }).values.password).toBe(' a b ')
})

test('typing mends the fault of its own field only', () => {
  const faulty = reduceLogin(emptyLoginForm, { type: 'faulted', fault: emailFault })
  expect(reduceLogin(faulty, { type: 'typed', field: 'password', value: 'x' }).fault).toEqual(emailFault)
  expect(reduceLogin(faulty, { type: 'typed', field: 'email', value: 'x' }).fault).toBeUndefined()
})

test('the same fault found twice is a new one, so that the focus moves again', () => {
  const once = reduceLogin(emptyLoginForm, { type: 'faulted', fault: { ...emailFault } })
  const twice = reduceLogin(once, { type: 'faulted', fault: { ...emailFault } })
  expect(twice.fault).not.toBe(once.fault)
})

test('after a sign-up the email alone stays', () => {
  const form = reduceLogin({ values: whole, ticks, fault: emailFault }, { type: 'signed-up' })
  expect(form).toEqual({ ...emptyLoginForm, values: { ...emptyLoginForm.values, email: whole.email } })
})

test.each([
  ['sign-in', { ...whole, name: '', phone: '', confirmPassword: '' }, undefined],
  ['sign-up', { ...whole, name: '' }, { field: 'name', message: 'Please fill in all fields' }],
  ['sign-up', { ...whole, phone: '987' }, { field: 'phone', message: 'Phone number must be 10 digits' }],
  ['sign-up', whole, undefined],
] as const)('a %s of %j has the fault %j', (mode, values, fault) => {
  expect(findLoginFault(mode, { values, ticks })).toEqual(fault)
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
] as const)('a whole sign-up with the boxes %j has the fault %j, and a faulty field comes first', (boxes, fault) => {
  expect(findLoginFault('sign-up', { values: whole, ticks: boxes })).toEqual(fault)
  expect(findLoginFault('sign-up', { values: { ...whole, phone: '987' }, ticks: boxes })).toEqual({
    field: 'phone',
    message: 'Phone number must be 10 digits',
  })
  expect(findLoginFault('sign-in', { values: whole, ticks: boxes })).toBeUndefined()
})

test('ticking a box mends its fault; both boxes start empty and are empty again after a sign-up', () => {
  const fault = { field: 'isAgreed', message: 'm' } as const
  const faulty = reduceLogin(emptyLoginForm, { type: 'faulted', fault })
  expect(faulty.ticks).toEqual({ isAdult: false, isAgreed: false })
  expect(reduceLogin(faulty, { type: 'ticked', box: 'isAdult', isTicked: true }).fault).toEqual(fault)
  const mended = reduceLogin(faulty, { type: 'ticked', box: 'isAgreed', isTicked: true })
  expect(mended).toEqual({ ...emptyLoginForm, ticks: { isAdult: false, isAgreed: true } })
  expect(reduceLogin(mended, { type: 'signed-up' }).ticks).toEqual({ isAdult: false, isAgreed: false })
})

test.each([
  ['', undefined],
  ['9', 'Phone number must be 10 digits'],
  ['987654321', 'Phone number must be 10 digits'],
  ['9876543210', undefined],
])('the phone %j has the hint %j', (phone, hint) => {
  expect(phoneHintOf(phone)).toBe(hint)
})

test('a fault that the server names lands on its field, the first of the form first', () => {
  expect(serverFaultOf('sign-up', { password: 'p', email: 'e' })).toEqual({ field: 'email', message: 'e' })
})

test('a field that the form does not show takes no fault', () => {
  expect(serverFaultOf('sign-in', { phone: 'p' })).toBeUndefined()
  expect(serverFaultOf('sign-up', { other: 'o' })).toBeUndefined()
})
