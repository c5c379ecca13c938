// All possible responses to a subscription request, including malformed ones.
import { expect, test } from 'vitest'
import { parseSubmitResponse } from './api.ts'

test.each([
  [201, { success: true, message: 'Thank you' }, 'Thank you'],
  [200, {}, 'Your subscription request has been submitted'],
])('%i %j succeeds with the message %s', (status, body, message) => {
  expect(parseSubmitResponse(status, body)).toEqual({ isDone: true, message, referenceIssue: undefined, isOutdated: false })
})

test.each([
  [400, { success: false, message: 'm', error: 'e' }, 'e'],
  [200, { error: 'Refused' }, 'Refused'],
  [200, { success: false, message: 'Not now' }, 'Not now'],
  [500, 'Out of order', 'Out of order'],
  [502, '<html>Bad Gateway</html>', 'Failed to submit data'],
  [500, '', 'Failed to submit data'],
  [500, null, 'Failed to submit data'],
  [500, { other: 1 }, 'Failed to submit data'],
])('%i %j fails with the message %s', (status, body, message) => {
  expect(parseSubmitResponse(status, body)).toMatchObject({ isDone: false, message, isOutdated: false })
})

test('an error about the reference is assigned to its field', () => {
  const body = { success: false, error: 'Used', message: 'Used', fields: { utrNo: 'Used' } }
  expect(parseSubmitResponse(409, body)).toEqual({ isDone: false, message: 'Used', referenceIssue: 'Used', isOutdated: true })
})

test.each([
  [409, true],
  [404, true],
  [429, false],
])('%i means that the form is outdated: %s', (status, isOutdated) => {
  expect(parseSubmitResponse(status, { error: 'x' }).isOutdated).toBe(isOutdated)
})
