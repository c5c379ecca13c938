// The OpenAPI document and its page: exactly the routes of the contract.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { api } from '#shared/api.ts'
import type { Route } from '#shared/http/route.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

const routes: Route[] = Object.values(api).flatMap((all) => Object.values(all as Record<string, Route>))

interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        servers?: { url: string }[]
        security: unknown[]
        requestBody?: { content: Record<string, { schema: unknown }> }
        responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>
      }
    >
  >
}

test('the document lists every route with its access, body and errors', async () => {
  const document = (await server.browser().send({ method: 'GET', path: '/api/v1/openapi.json' })).json<Document>()
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: '/api/v1' }])
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(listed.toSorted()).toEqual(routes.map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`).toSorted())
  const rejectionOf = (path: string) => document.paths[path]?.['get']?.responses['401']?.content['application/json']?.schema.$ref
  expect(rejectionOf('/user')).toBe('#/components/schemas/Problem')
  const signIn = document.paths['/auth/sign-in']?.['post']
  expect(signIn?.security).toEqual([])
  expect(signIn?.requestBody?.content['application/json']?.schema).toMatchObject({
    type: 'object',
    properties: { email: {}, password: {} },
  })
  expect(Object.keys(signIn?.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '429']))
  expect(document.paths['/user']?.['get']?.security).toEqual([{ sessionCookie: [], sessionToken: [] }])
})

test('the page shows them without any script', async () => {
  const answer = await server.browser().send({ method: 'GET', path: '/api/v1/docs' })
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(answer.body).not.toContain('<script')
  for (const route of routes) expect(answer.body).toContain(`<code>${route.path}</code>`)
})
