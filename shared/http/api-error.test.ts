// Error responses on the client.
import { expect, test } from 'vitest'
import { apiErrorFrom } from './api-error.ts'

test.each([
  [
    { status: 409, body: { success: false, message: 'Taken', error: 'Taken', code: 'x.taken', statuscode: 409, fields: { id: 'Taken' } } },
    { status: 409, message: 'Taken', code: 'x.taken', fields: { id: 'Taken' } },
  ],
  [
    { status: 500, body: { success: false, message: 'Sorry', error: 'Sorry', code: 'internal', statuscode: 500, requestId: 'r-1' } },
    { status: 500, message: 'Sorry', requestId: 'r-1' },
  ],
  [
    { status: 502, body: 'Bad gateway' },
    { status: 502, message: 'Bad gateway' },
  ],
  [
    { status: 502, body: ' <html><h1>Bad gateway</h1></html>' },
    { status: 502, message: '' },
  ],
  [
    { status: 500, body: undefined },
    { status: 500, message: 'Request failed (500)' },
  ],
])('the error response %j becomes an error with its message', (response, error) => {
  expect(apiErrorFrom(response)).toMatchObject(error)
})
