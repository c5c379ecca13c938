// The SMTP mailer with a minimal fake server.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectProxy } from '#server/testing/connect-proxy.ts'
import { smtpMailer } from './smtp.ts'

let server: Server
let received: string
let refuses: boolean

beforeEach(async () => {
  received = ''
  refuses = false
  server = createServer((socket) => {
    let isData = false
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      received += text
      if (isData) {
        if (!received.endsWith('\r\n.\r\n')) return
        isData = false
        socket.write('250 taken\r\n')
      } else if (text.startsWith('DATA')) {
        isData = true
        socket.write('354 go on\r\n')
      } else if (text.startsWith('RCPT') && refuses) socket.write('550 no such box\r\n')
      else if (text.startsWith('STARTTLS')) socket.write('502 not known\r\n')
      else if (text.startsWith('AUTH')) socket.write('235 welcome\r\n')
      else if (text.startsWith('EHLO')) socket.write('250-test\r\n250 AUTH PLAIN\r\n')
      else socket.write('250 fine\r\n')
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => void server.close())

const urlOf = (rest: string) => `smtp://${rest.replace('HOST', `127.0.0.1:${(server.address() as AddressInfo).port}`)}`
const mail = { to: 'asha@example.in', subject: 'Tezi: नमस्ते', text: 'one\n.\ntwo' }

test.each([
  ['HOST', 'no-reply@tezi.example'],
  ['bot%40tezi.example:p%40ss@HOST', 'bot@tezi.example'],
  ['user:pass@HOST?from=hello@tezi.example', 'hello@tezi.example'],
])('sends as text, from %s as %s', async (rest, sender) => {
  const mailer = smtpMailer({ smtpUrl: urlOf(rest), siteHost: 'tezi.example', brandName: 'Tezi', isTlsOptional: true })
  await mailer.send(mail)
  mailer.close()
  expect(received).toContain(`MAIL FROM:<${sender}>`)
  expect(received).toContain('RCPT TO:<asha@example.in>')
  expect(received).toContain(`From: Tezi <${sender}>`)
  expect(received).toContain('Content-Type: text/plain; charset=utf-8')
  expect(received).toContain('one\r\n..\r\ntwo')
  expect(received.includes('AUTH PLAIN')).toBe(rest.includes('@HOST'))
})

test('rejects when the server does not accept it', async () => {
  refuses = true
  const mailer = smtpMailer({ smtpUrl: urlOf('HOST'), siteHost: 'tezi.example', brandName: 'Tezi', isTlsOptional: true })
  await expect(mailer.send(mail)).rejects.toThrow('550')
  mailer.close()
})

test('a server without STARTTLS gets neither password nor mail', async () => {
  const mailer = smtpMailer({
    smtpUrl: urlOf('user:pass@HOST'),
    siteHost: 'tezi.example',
    brandName: 'Tezi',
    isTlsOptional: false,
  })
  await expect(mailer.send(mail)).rejects.toThrow(/502|STARTTLS/)
  mailer.close()
  for (const secret of ['AUTH', 'MAIL FROM', 'asha@example.in', 'two']) expect(received).not.toContain(secret)
})

test.each([
  ['', ['mail.tezi.example:587']],
  ['.tezi.example', []],
])('goes through the proxy, unless NO_PROXY %j names the mail server', async (direct, asked) => {
  const proxy = await connectProxy((server.address() as AddressInfo).port)
  onTestFinished(() => proxy.close())
  const options = { siteHost: 'tezi.example', brandName: 'Tezi', isTlsOptional: true, proxy: { url: proxy.url, direct } }
  const mailer = smtpMailer({ ...options, smtpUrl: 'smtp://mail.tezi.example' })
  const sent = mailer.send(mail)
  if (asked.length > 0) await sent
  else await expect(sent).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
  mailer.close()
  expect(proxy.asked).toEqual(asked)
  expect(received.includes('RCPT TO:<asha@example.in>')).toBe(asked.length > 0)
})
