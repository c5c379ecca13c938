// The outbox page of a development server: access, content, and escaping of mails.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp({ hasOutboxPage: true })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const read = ({ address = '127.0.0.1', host = 'localhost:3000' } = {}) =>
  server.browser({ address }).send({ method: 'GET', path: '/dev/outbox', headers: { host } })

test('an app without an outbox does not have it', async () => {
  const plain = await testApp()
  await plain.outbox.send({ to: 'asha@example.in', subject: 'Secret', text: 'Secret' })
  const response = await plain.browser({ address: '127.0.0.1' }).send({ method: 'GET', path: '/dev/outbox' })
  expect(response.statusCode).toBe(404)
  expect(response.body).not.toContain('Secret')
  await plain.close()
})

describe('is not found for remote clients', () => {
  test.each([
    ['another machine', { address: '203.0.113.7' }],
    ['another machine of the network', { address: '192.168.1.20' }],
    ['an address that only begins like ours', { address: '::1:2' }],
    ['a foreign name that is pointed at us', { host: 'evil.example:3000' }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['an address that begins like ours', { host: '127.0.0.1.evil.example' }],
  ])('%s', async (_, caller) => {
    await server.outbox.send({ to: 'asha@example.in', subject: 'Secret', text: 'Secret' })
    const response = await read(caller)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ success: false, message: 'Not found' })
    expect(response.body).not.toContain('Secret')
  })
})

test.each([
  ['127.0.0.1', 'localhost:5173'],
  ['127.0.0.1', '127.0.0.1:3000'],
  ['::1', '[::1]:3000'],
  ['::ffff:127.0.0.1', 'localhost'],
])('%s may read it at %s', async (address, host) => {
  expect((await read({ address, host })).statusCode).toBe(200)
})

test('it is initially empty, is never cached, and has the policy of the pages', async () => {
  const response = await read()
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-store')
  const policy = String(response.headers['content-security-policy'])
  for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    expect(policy.split('; ')).toContain(directive)
  expect(response.body).toContain('No mail has been sent yet.')
  expect(response.body).not.toMatch(/<script|<style|\sstyle=/)
  // The policy only allows our own style sheet.
  expect(response.body).toContain('<link rel="stylesheet" href="/dev/outbox.css">')
  const sheet = await server.browser({ address: '127.0.0.1' }).send({ method: 'GET', path: '/dev/outbox.css' })
  expect(sheet.statusCode).toBe(200)
  expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8')
})

test('it shows recipient, subject and text, newest first, with clickable links', async () => {
  await server.outbox.send({ to: 'asha@example.in', subject: 'First', text: 'Hello Asha,\n\none\ntwo' })
  await server.outbox.send({
    to: 'ravi@example.in',
    subject: 'Second',
    text: 'Open\n\nhttp://127.0.0.1:3000/reset-password#token=a_b-c\n\nnow',
  })
  const { body } = await read()
  expect(body).not.toContain('No mail has been sent yet.')
  expect(body).toContain('<h2>First</h2><p>To asha@example.in</p><p>Hello Asha,</p><p>one<br>two</p>')
  const address = 'http://127.0.0.1:3000/reset-password#token=a_b-c'
  expect(body).toContain(`<p>Open</p><p><a href="${address}">${address}</a></p><p>now</p>`)
  expect(body.indexOf('Second')).toBeLessThan(body.indexOf('First'))
})

test('a mail cannot inject HTML into the page', async () => {
  const hostile = `<img src=x onerror=alert(1)> https://x.example/"onclick="alert(1)'>&amp; javascript:alert(1)`
  await server.outbox.send({ to: hostile, subject: hostile, text: hostile })
  const { body } = await read()
  expect(body).not.toMatch(/<img|"onclick|&amp;|href="javascript/)
  expect(body.match(/<a /g)).toHaveLength(1)
  expect(body).toContain('&#60;img src=x onerror=alert(1)&#62;')
})

test('a requested link arrives in it', async () => {
  const user = await server.addUser({ name: 'Asha Rao' })
  const asked = await server
    .browser({ address: '127.0.0.1' })
    .send({ method: 'POST', path: '/api/v1/auth/password-link', body: { email: user.email }, headers: { host: '127.0.0.1:3000' } })
  expect(asked.statusCode).toBe(200)
  await expect.poll(async () => (await read()).body).toMatch(/<a href="http:\/\/127\.0\.0\.1:3000\/reset-password#token=[\w-]{43}">/)
})
