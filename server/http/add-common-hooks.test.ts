// Which requests count as cross-site.
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { httpServerText } from '#shared/http/text/en.ts'
import { isOwnOrigin, rejectForeignOrigin } from './add-common-hooks.ts'

const publicOrigin = 'https://tezi.example'

function send(method: string, headers: Record<string, string>): () => void {
  return () => rejectForeignOrigin({ method, headers } as unknown as FastifyRequest, publicOrigin)
}

test.each([
  ['POST', { 'sec-fetch-site': 'cross-site' }],
  ['POST', { 'sec-fetch-site': 'same-site' }],
  ['POST', { 'sec-fetch-site': '' }],
  ['POST', { 'sec-fetch-site': 'cross-site', origin: publicOrigin }],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
  ['PUT', { origin: 'https://evil.example' }],
  ['DELETE', { origin: 'null' }],
  ['PATCH', { origin: 'http://tezi.example' }],
])('%s with %j is rejected', (method, headers) => {
  expect(send(method, headers)).toThrow(
    expect.objectContaining({ kind: 'forbidden', message: httpServerText.foreignOrigin, wireMessage: { code: 'http.foreignOrigin' } }),
  )
})

test.each([
  ['POST', {}],
  ['POST', { 'sec-fetch-site': 'none' }],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: publicOrigin }],
  ['DELETE', { origin: publicOrigin }],
  ['GET', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['HEAD', { 'sec-fetch-site': 'cross-site' }],
  ['OPTIONS', { 'sec-fetch-site': 'cross-site' }],
  ['TRACE', { 'sec-fetch-site': 'cross-site' }],
])('%s with %j passes', (method, headers) => {
  expect(send(method, headers)).not.toThrow()
})

test.each([
  ['https://evil.example', 'tezi.example', publicOrigin, false],
  // The host of the request does not count if an origin is configured.
  ['https://evil.example', 'evil.example', publicOrigin, false],
  ['https://evil.example', 'localhost:3000', undefined, false],
  ['http://localhost:5173', 'localhost:3000', undefined, false],
  ['null', 'localhost:3000', undefined, false],
  ['localhost:3000', 'localhost:3000', undefined, false],
  ['http://localhost:3000', undefined, undefined, false],
  ['http://localhost:3000', 'localhost:3000', undefined, true],
  [publicOrigin, 'localhost:3000', publicOrigin, true],
  [undefined, 'localhost:3000', publicOrigin, true],
  [undefined, undefined, undefined, true],
])('the origin %s at the host %s, where %s is configured, is our own: %s', (origin, host, configured, expected) => {
  expect(isOwnOrigin(origin, host, configured)).toBe(expected)
})
