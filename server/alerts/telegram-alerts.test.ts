// Alerts by Telegram against a scripted Bot API.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { telegramAlerts } from './telegram-alerts.ts'

const token = '12345:secret-token'
const alert = { subject: 'Tezi: redis failing', text: 'Redis has been failing for 3 minutes.' }
let server: Server
let apiUrl: string
let reply: { status: number; body: string }
const calls: { method: string | undefined; url: string | undefined; body: unknown }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      calls.push({ method: request.method, url: request.url, body: JSON.parse(text) })
      response.writeHead(reply.status, { 'content-type': 'application/json', location: '/elsewhere' }).end(reply.body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  calls.length = 0
  reply = { status: 200, body: '{"ok":true,"result":{}}' }
})
afterAll(() => server.close())

const send = (more: Partial<Parameters<typeof telegramAlerts>[0]> = {}, text = alert.text) =>
  telegramAlerts({ apiUrl, token, chat: '-100', ...more }).send({ ...alert, text })

test.each([
  [{ status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' }, 'Telegram answered 401: Unauthorized'],
  [
    { status: 429, body: '{"ok":false,"description":"Too Many Requests: retry after 7"}' },
    'Telegram answered 429: Too Many Requests: retry after 7',
  ],
  [{ status: 200, body: '<html>' }, 'Telegram answered 200: not the Bot API'],
  [{ status: 302, body: '' }, 'Telegram cannot be reached: '],
])('an answer %o is an error', async (given, message) => {
  reply = given
  await expect(send()).rejects.toThrow(message)
})

test('no error contains the token, not even without a server', async () => {
  const closed = await send({ apiUrl: 'http://127.0.0.1:9' }).catch((error: unknown) => error)
  expect(String(closed)).toContain('Telegram cannot be reached')
  reply = { status: 404, body: '{"ok":false,"description":"Not Found"}' }
  for (const error of [closed, await send().catch((thrown: unknown) => thrown)]) {
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret-token')
    expect(String((error as Error).cause)).not.toContain('secret-token')
  }
})

test('the message goes to the chat, cut to the length that Telegram takes', async () => {
  await send()
  expect(calls).toEqual([
    {
      method: 'POST',
      url: '/bot12345:secret-token/sendMessage',
      body: { chat_id: '-100', text: `${alert.subject}\n\n${alert.text}`, link_preview_options: { is_disabled: true } },
    },
  ])
  await send({}, 'x'.repeat(5_000))
  expect(calls[1]?.body).toMatchObject({ text: expect.stringMatching(/^.{4096}$/s) })
})
