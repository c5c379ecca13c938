// Validation rules of the account forms; the messages are those of the specification.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { authText } from '#shared/auth/text/en.ts'
import { issueIn } from '#shared/text/texts.ts'
import {
  findPasswordIssue,
  findSignInIssue,
  findSignUpIssue,
  isEmail,
  isName,
  isUnusualPhone,
  normaliseEmail,
  typedPhone,
} from './rules.ts'

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
  ['a@b.in>', false],
  ['a@b.in\n', false],
  ['а@b.in', false],
  ['', false],
  [`${'a'.repeat(243)}@example.in`, true],
  [`${'a'.repeat(244)}@example.in`, false],
])('the email %s counts as valid: %s', (email, isValid) => {
  expect(isEmail(email)).toBe(isValid)
})

test('an email is stored trimmed and in lower case', () => {
  expect(normaliseEmail(' Ravi@Example.IN\n')).toBe('ravi@example.in')
})

test.each([
  ['98765 43210', '9876543210'],
  ['98765-43210x99', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  ['0091-9876543210', '9876543210'],
  ['919876543210', '9876543210'],
  ['09876543210', '9876543210'],
  ['0919876543210', '9876543210'],
  ['९८७६५४३२१०', '9876543210'],
  ['+९१ ९८७६५ ४३२१०', '9876543210'],
  // A number that begins with 91, one digit more, and one whose prefix is not complete.
  ['9198765432', '9198765432'],
  ['91987654321', '91987654321'],
  ['0987654321', '0987654321'],
  ['98765432109', '9876543210'],
  ['abc', ''],
  [' +91 98765 43210', '9876543210'],
  ['+ 91 98765 43210', '9876543210'],
  // The country code is only removed at the start.
  ['9800912345', '9800912345'],
])('the phone %s becomes %s', (typed, shown) => {
  expect(typedPhone(typed)).toBe(shown)
})

test('another number over a complete one replaces it', () => {
  expect(typedPhone('98111222333', '9876543210')).toBe('9811122233')
})

const devanagari = (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)))

test('typed key by key or pasted, with any prefix and in any digits, a number is its ten digits', () =>
  assertProperty(
    fc.property(
      fc.stringMatching(/^[1-9]\d{9}$/),
      fc.constantFrom('', '0', '91', '+91', '+91 ', '0091', '091'),
      fc.constantFrom('', ' ', '-'),
      fc.boolean(),
      (number, prefix, separator, isHindi) => {
        const text = `${prefix}${number.slice(0, 5)}${separator}${number.slice(5)}`
        const keys = isHindi ? devanagari(text) : text
        let field = ''
        for (const key of keys) field = typedPhone(field + key, field)
        expect(field).toBe(number)
        expect(typedPhone(keys)).toBe(number)
      },
    ),
  ))

test('a complete number stays what it is under more digits, wherever they are typed, or loses a prefix', () =>
  assertProperty(
    fc.property(fc.stringMatching(/^[2-8]\d{9}$/), fc.nat(10), fc.constantFrom('1', '2', '5', '9'), (number, at, digit) => {
      expect(typedPhone(number.slice(0, at) + digit + number.slice(at), number)).toBe(number)
      expect(typedPhone(`0${number}`, number)).toBe(number)
    }),
  ))

test.each([
  ['9876543210', false],
  ['6000000000', false],
  ['5876543210', true],
  ['0987654321', true],
  ['587', false],
])('the phone %s is unusual: %s', (phone, isUnusual) => {
  expect(isUnusualPhone(phone)).toBe(isUnusual)
  if (phone.length === 10) expect(findSignUpIssue({ ...good, phone })).toBeUndefined()
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

test('sign-in reports the first error only', () => {
  expect(issueIn(authText, findSignInIssue({ email: '', password: '' }))).toEqual({
    field: 'email',
    message: 'Please fill in all required fields',
  })
  expect(issueIn(authText, findSignInIssue({ email: 'a@b.in', password: '' }))).toEqual({
    field: 'password',
    message: 'Please fill in all required fields',
  })
  expect(issueIn(authText, findSignInIssue({ email: 'a@b', password: 'x' }))).toEqual({
    field: 'email',
    message: 'Please enter a valid email address',
  })
  expect(issueIn(authText, findSignInIssue({ email: ' A@b.in ', password: 'x' }))).toBeUndefined()
})

test('an email of spaces is empty at sign-in', () => {
  expect(issueIn(authText, findSignInIssue({ email: '  ', password: 'x' }))).toEqual({ field: 'email', message: authText.fillRequired })
})

const empty = { name: '', email: '', phone: '', password: '', confirmPassword: '' }

test.each([
  [empty, 'email', 'Please fill in all required fields'],
  [{ ...empty, email: 'x', password: 'x' }, 'email', 'Please enter a valid email address'],
  [{ ...empty, email: good.email, password: 'x' }, 'name', 'Please fill in all fields'],
  [{ ...good, name: ' ', phone: '' }, 'name', 'Please fill in all fields'],
  [{ ...good, phone: '', confirmPassword: '' }, 'phone', 'Please fill in all fields'],
  [{ ...good, phone: ' ', confirmPassword: '' }, 'phone', 'Please fill in all fields'],
  [{ ...good, name: 'a\u0000b', confirmPassword: '' }, 'confirmPassword', 'Please fill in all fields'],
  [{ ...good, name: 'a\u0000b', phone: '1' }, 'name', authText.nameInvalid],
  [{ ...good, phone: '1', confirmPassword: 'x', password: 'y' }, 'phone', 'Phone number must be 10 digits'],
  [{ ...good, phone: '98765432100' }, 'phone', 'Phone number must be 10 digits'],
  [{ ...good, phone: '+9876543210' }, 'phone', 'Phone number must be 10 digits'],
  [{ ...good, password: 'short', confirmPassword: 'other' }, 'confirmPassword', 'Passwords do not match'],
  [{ ...good, password: 'short', confirmPassword: 'short' }, 'password', 'Password must be at least 6 characters long'],
])('sign-up checks %j in the order of the form: %s [spec 5.2]', (form, field, message) => {
  expect(issueIn(authText, findSignUpIssue(form))).toEqual({ field, message })
})

test.each([good, { ...good, name: `  ${'a'.repeat(100)}  ` }, { ...good, email: ' Ravi@Example.in ' }])('sign-up accepts %j', (form) => {
  expect(issueIn(authText, findSignUpIssue(form))).toBeUndefined()
})

test.each([
  ['12345', 'Password must be at least 6 characters long'],
  ['😀😀😀😀😀', 'Password must be at least 6 characters long'],
  ['😀😀😀😀😀😀', undefined],
  ['x'.repeat(256), undefined],
  ['x'.repeat(257), 'Password must be at most 256 characters long'],
])('the password %s gets: %s', (password, message) => {
  expect(issueIn(authText, findPasswordIssue(password))).toEqual(message === undefined ? undefined : { field: 'password', message })
})
