// API client derived from routes: URLs, responses, errors.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createClient, type WireReply, type WireRequest } from './client.ts'
import { pathOf, route } from './route.ts'

const routes = {
  things: {
    one: route({
      method: 'GET',
      path: '/things/:id',
      access: 'anyone',
      summary: 'One thing.',
      params: z.object({ id: z.string() }),
      query: z.object({ search: z.string().optional(), page: z.number().optional() }),
      reply: z.object({ name: z.string() }),
    }),
  },
}

function answering(reply: WireReply) {
  const sent: WireRequest[] = []
  const client = createClient(routes, (request) => {
    sent.push(request)
    return Promise.resolve(reply)
  })
  return { sent, client }
}

test('parameters and query are encoded into the address', async () => {
  const { sent, client } = answering({ status: 200, body: { name: 'x', secret: 'y' } })
  expect(await client.things.one({ params: { id: '../a b' }, query: { search: 'x&y', page: undefined } })).toEqual({ name: 'x' })
  expect(sent).toEqual([{ method: 'GET', path: '/api/v1/things/..%2Fa%20b?search=x%26y', body: undefined }])
})

test('an unknown endpoint throws [spec 8.15]', () => {
  const unknown = (routes.things as Record<string, typeof routes.things.one>)['none']
  expect(() => pathOf(unknown, {})).toThrow('Invalid API endpoint')
})

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
])('the error response %j becomes an error with its message', async (reply, error) => {
  await expect(answering(reply).client.things.one({ params: { id: 'a' }, query: {} })).rejects.toMatchObject(error)
})
