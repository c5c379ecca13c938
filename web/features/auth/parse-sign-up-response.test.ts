// All possible responses to sign-in and sign-up, including malformed ones.
import { ApiError } from '#shared/http/api-error.ts'
import { expect, test } from 'vitest'
import { parseSignUpResponse, signInFailureText, signUpFailureText } from './parse-sign-up-response.ts'

test.each([
  [
    { success: true, message: 'Welcome' },
    { isDone: true, message: 'Welcome' },
  ],
  [{ success: true }, { isDone: true, message: 'Account created successfully' }],
  [
    { success: false, message: 'Taken' },
    { isDone: false, message: 'Taken' },
  ],
  [
    { success: false, errorMessage: 'Taken' },
    { isDone: false, message: 'Taken' },
  ],
  [
    { success: 'true', message: 'No', errorMessage: 'Odd' },
    { isDone: false, message: 'Odd' },
  ],
  [{ message: 'No' }, { isDone: false, message: 'Signup failed' }],
  [{}, { isDone: false, message: 'Signup failed' }],
  ['<html>', { isDone: false, message: 'Signup failed' }],
  [null, { isDone: false, message: 'Signup failed' }],
])('the answer %j reads as %j [spec 8.2]', (body, outcome) => {
  expect(parseSignUpResponse(body)).toMatchObject(outcome)
})

test('field errors are kept, anything but text is ignored', () => {
  expect(parseSignUpResponse({ success: false, message: 'm', fields: { email: 'e', phone: 3 } }).fields).toEqual({ email: 'e' })
})

test.each([
  [new ApiError(401, { message: 'Invalid email or password' }), 'Invalid email or password'],
  [new ApiError(0, { message: 'Failed to fetch' }), 'Login failed. Please try again.'],
  [new TypeError('x is undefined'), 'Login failed. Please try again.'],
  [undefined, 'Login failed. Please try again.'],
])('a sign-in that failed by %s says %j [spec 8.1]', (error, text) => {
  expect(signInFailureText(error)).toBe(text)
})

test.each([
  [new ApiError(0, { message: 'Failed to fetch' }), 'Failed to fetch'],
  [new ApiError(0, { message: '' }), 'Signup failed. Please try again.'],
  [new TypeError('x is undefined'), 'Signup failed. Please try again.'],
])('a sign-up without an answer by %s says %j [spec 8.3]', (error, text) => {
  expect(signUpFailureText(error)).toBe(text)
})
