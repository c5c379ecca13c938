// Errors and successes on the wire: the English sentence, its code and its parameters.
import { expect, test } from 'vitest'
import { message } from '#shared/messages/message.ts'
import { AppError, done, isCode, problemOf } from './app-error.ts'
import { problemSchema } from './api-error.ts'

const taken = 'A crypto payment plan already exists. You can only have one crypto plan at a time.'

test('an error has the English sentence beside its code and parameters, also at each field', () => {
  const coded = { code: 'adminPlans.typeTaken', params: ['crypto'] }
  const error = message('adminPlans.typeTaken', 'crypto')
  const problem = problemOf(new AppError('conflict', error, { fields: { type: error, price: 'plans.pricePositive' } }), 'r-1')
  expect(problemSchema.parse(problem)).toEqual({
    success: false,
    message: taken,
    error: taken,
    ...coded,
    statuscode: 409,
    fields: { type: taken, price: 'Price must be greater than 0' },
    fieldCodes: { type: coded, price: { code: 'plans.pricePositive' } },
    requestId: 'r-1',
  })
})

test('a success has its sentence and its code', () => {
  expect(done('auth.signedIn')).toEqual({ success: true, message: 'Login successful', code: 'auth.signedIn' })
})

test('only the names of sentences are codes', () => {
  expect(['auth.emailTaken', 'auth.nothing', 'nothing.at', 'Invalid input: expected string', 'auth.constructor'].map(isCode)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
