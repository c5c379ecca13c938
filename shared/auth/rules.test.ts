// The rules of the account forms as tables; the sentences are the spec's.
import { expect, test } from 'vitest'
import { findPasswordFault, findSignInFault, findSignUpFault, isEmail, isName, normaliseEmail, stripPhone } from './rules.ts'

const good = { name: 'Ravi', email: 'ravi@example.in', phone: '9876543210', password: 'Kesar-Chai-42', confirmPassword: 'Kesar-Chai-42' }

test.each([
  ['a@b.in', true],
  ['first.last+tag@sub.example.co.in', true],
  ["o'neil@example.com", true],
  ['a@b', false],
  ['a@b.', false],
  ['@b.in', false],
  ['a b@c.in', false],
  ['a@b@c.in', false],
  ['a@b..in', false],
  ['<a>@b.in', false],
  ['а@b.in', false],
  ['', false],
  [`${'a'.repeat(243)}@example.in`, true],
  [`${'a'.repeat(244)}@example.in`, false],
])('the email %s counts as valid: %s', (email, isValid) => {
  expect(isEmail(email)).toBe(isValid)
})

test('an email is stored without spaces around it and in lower case', () => {
  expect(normaliseEmail(' Ravi@Example.IN\n')).toBe('ravi@example.in')
})

test.each([
  ['98765 43210', '9876543210'],
  ['98765-43210x99', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  ['0091-9876543210', '9876543210'],
  ['9198765432', '9198765432'],
  ['abc', ''],
])('the phone %s becomes %s', (typed, shown) => {
  expect(stripPhone(typed)).toBe(shown)
})

test.each([
  ['आशा राव', true],
  ['श्री\u200dमान', true],
  ['', false],
  ['a\u0000b', false],
  ['a\u202eb', false],
  ['a\u200bb', false],
  ['😀'.repeat(100), true],
  ['😀'.repeat(101), false],
])('the name %j counts as valid: %s', (name, isValid) => {
  expect(isName(name)).toBe(isValid)
})

test('sign-in names the first fault only', () => {
  expect(findSignInFault({ email: '', password: '' })).toEqual({ field: 'email', message: 'Please fill in all required fields' })
  expect(findSignInFault({ email: 'a@b.in', password: '' })).toEqual({ field: 'password', message: 'Please fill in all required fields' })
  expect(findSignInFault({ email: 'a@b', password: 'x' })).toEqual({ field: 'email', message: 'Please enter a valid email address' })
  expect(findSignInFault({ email: ' A@b.in ', password: 'x' })).toBeUndefined()
})

test('sign-up goes through its rules in the order of the form', () => {
  const empty = { name: '', email: '', phone: '', password: '', confirmPassword: '' }
  const steps = [
    [empty, 'Please fill in all required fields'],
    [{ ...empty, email: 'x', password: 'x' }, 'Please enter a valid email address'],
    [{ ...empty, email: good.email, password: 'x' }, 'Please fill in all fields'],
    [{ ...good, phone: '1', confirmPassword: 'x', password: 'y' }, 'Phone number must be 10 digits'],
    [{ ...good, password: 'short', confirmPassword: 'other' }, 'Passwords do not match'],
    [{ ...good, password: 'short', confirmPassword: 'short' }, 'Password must be at least 6 characters long'],
  ] as const
  for (const [form, message] of steps) expect(findSignUpFault(form)?.message).toBe(message)
  expect(findSignUpFault(good)).toBeUndefined()
})

test.each([
  ['12345', 'Password must be at least 6 characters long'],
  ['😀😀😀😀😀', 'Password must be at least 6 characters long'],
  ['😀😀😀😀😀😀', undefined],
  ['x'.repeat(256), undefined],
  ['x'.repeat(257), 'Password must be at most 256 characters long'],
])('the password %s gets: %s', (password, message) => {
  expect(findPasswordFault(password)?.message).toBe(message)
})
