// Security events of requests: which responses are events, and one line a minute for each kind and address.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listenForLive, openSocket } from '#server/testing/live.ts'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { SecurityEvents } from './handle-error.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

const events = () =>
  server.logLines
    .map((line) => JSON.parse(line) as { msg: string; event?: string; address?: string })
    .filter(({ msg }) => msg === 'security event')

test('a request that is fine, and an ordinary rejection, are no events', async () => {
  const browser = await server.signedIn()
  await browser.send({ method: 'GET', path: '/api/v1/user' })
  await server.browser().send({ method: 'GET', path: '/api/v1/user' })
  await server.browser().send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email: 'a@b.in', password: 'wrong' } })
  expect(events()).toEqual([])
})

test('a rate limit, a foreign origin and bad tokens are, with their address and path', async () => {
  const from = (address: string) => server.browser({ address })
  for (let guess = 0; guess < 9; guess += 1)
    await from('192.0.2.1').send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email: 'a@b.in', password: testPassword } })
  const headers = { origin: 'https://evil.example' }
  await from('192.0.2.2').send({ method: 'POST', path: '/api/v1/auth/sign-in', headers, body: {} })
  await from('192.0.2.3').send({ method: 'GET', path: '/api/v1/user', headers: { 'session-token': 'A'.repeat(43) } })
  const passwords = { newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' }
  const token = 'B'.repeat(43)
  await from('192.0.2.4').send({ method: 'POST', path: '/api/v1/auth/password-link/use', body: { token, ...passwords } })
  await from('192.0.2.5').send({ method: 'POST', path: '/api/v1/auth/email-link', body: { token } })
  expect(events()).toMatchObject([
    { event: 'rate limit', address: '192.0.2.1', count: 1, path: '/api/v1/auth/sign-in' },
    { event: 'foreign origin', address: '192.0.2.2' },
    { event: 'bad token', address: '192.0.2.3', path: '/api/v1/user' },
    { event: 'bad token', address: '192.0.2.4' },
    { event: 'bad token', address: '192.0.2.5' },
  ])
  expect(server.logLines.join('\n')).not.toMatch(/A{43}|B{43}/)
})

test('a handshake of another site is, however often it comes', async () => {
  const url = await listenForLive(server.app)
  for (let count = 0; count < 3; count += 1)
    await expect(openSocket(url, { origin: 'https://evil.example' })).rejects.toThrow('refused with 403')
  expect(events()).toMatchObject([{ event: 'foreign origin', address: '127.0.0.1', count: 1, path: '/api/v1/market/live' }])
})

test('a flood of one address is one line a minute with its number, and addresses are bounded', () => {
  vi.useFakeTimers()
  const lines: object[] = []
  const log = { warn: (details: object) => void lines.push(details) }
  const counted = new SecurityEvents(log)
  for (let index = 0; index < 1_000; index += 1) counted.note('rate limit', '192.0.2.1', '/x')
  expect(lines).toMatchObject([{ address: '192.0.2.1', count: 1 }])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(1)).toMatchObject([{ address: '192.0.2.1', count: 999 }])
  vi.advanceTimersByTime(180_000)
  expect(lines).toHaveLength(2)
  for (let index = 0; index < 10_500; index += 1) counted.note('bad token', `address ${index}`, '/x')
  counted.close()
  expect(lines).toHaveLength(2 + 10_000 + 2)
  expect(lines.at(-1)).toMatchObject({ event: 'bad token', address: 'others', count: 499 })
})
