// Request headers and response parsing of the API client.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { headersFor, readBody, readRetryAfter, replyOf } from './api.ts'

test('a reply has the fields of its contract only, and an error response rejects', () => {
  const one = route({ method: 'GET', path: '/one', access: 'anyone', summary: '', reply: z.object({ name: z.string() }) })
  expect(replyOf(one, { status: 200, body: { name: 'x', secret: 'y' } })).toEqual({ name: 'x' })
  expect(() => replyOf(one, { status: 404, body: { name: 'x' } })).toThrow('Request failed (404)')
})

test.each([
  [{ method: 'GET', body: undefined }, undefined, { accept: 'application/json', 'content-type': 'application/json' }],
  [{ method: 'GET', body: undefined }, 't', { accept: 'application/json', 'content-type': 'application/json', 'session-token': 't' }],
  [{ method: 'POST', body: {} }, 't', { accept: 'application/json', 'content-type': 'application/json', 'session-token': 't' }],
  // An empty body with a JSON content type would be rejected.
  [{ method: 'DELETE', body: undefined }, 't', { accept: 'application/json', 'session-token': 't' }],
])('%j with token %s has the headers %j', (request, token, headers) => {
  expect(headersFor(request, token)).toEqual(headers)
})

test.each([
  ['{"success":true}', { success: true }],
  ['<html>Bad gateway</html>', '<html>Bad gateway</html>'],
  ['', ''],
])('the body %j is parsed as %j', (text, body) => {
  expect(readBody(text)).toEqual(body)
})

test.each([
  ['30', 30],
  ['0', 0],
  [null, undefined],
  ['-1', undefined],
  ['soon', undefined],
  ['Sat, 21 Nov 2026 10:00:00 GMT', undefined],
])('Retry-After %j is %j seconds', (value, seconds) => {
  expect(readRetryAfter(value)).toBe(seconds)
})
