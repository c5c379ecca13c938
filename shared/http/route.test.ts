// Requests derived from routes.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pathOf, route, wireRequestOf } from './route.ts'

const one = route({
  method: 'GET',
  path: '/things/:id',
  access: 'anyone',
  summary: 'One thing.',
  params: z.object({ id: z.string() }),
  query: z.object({ search: z.string().optional(), page: z.number().optional() }),
  reply: z.object({ name: z.string() }),
})

test('parameters and query are encoded into the address', () => {
  expect(wireRequestOf(one, { params: { id: '../a b' }, query: { search: 'x&y', page: undefined } })).toEqual({
    method: 'GET',
    path: '/api/v1/things/..%2Fa%20b?search=x%26y',
    body: undefined,
  })
})

test('an unknown endpoint throws [spec 8.15]', () => {
  const unknown = ({ one } as Record<string, typeof one>)['none']
  expect(() => pathOf(unknown, {})).toThrow('Invalid API endpoint')
})
