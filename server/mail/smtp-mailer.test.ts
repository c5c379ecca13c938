// The SMTP mailer with a minimal fake server.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectProxy } from '#server/testing/connect-proxy.ts'
import { fakeSmtp, type FakeSmtp } from '#server/testing/fake-smtp.ts'
import { smtpMailer } from './smtp-mailer.ts'

let server: FakeSmtp
beforeEach(async () => {
  server = await fakeSmtp()
})
afterEach(() => server.close())

const urlOf = (rest: string) => `smtp://${rest.replace('HOST', `127.0.0.1:${server.port}`)}`
const mail = { to: 'asha@example.in', subject: 'Tezi: नमस्ते', text: 'one\n.\ntwo' }

test.each([
  ['HOST', 'no-reply@tezi.example'],
  ['bot%40tezi.example:p%40ss@HOST', 'bot@tezi.example'],
  ['user:pass@HOST?from=hello@tezi.example', 'hello@tezi.example'],
])('sends as text, from %s as %s', async (rest, sender) => {
  const mailer = smtpMailer({ smtpUrl: urlOf(rest), siteHost: 'tezi.example', brandName: 'Tezi', isTlsOptional: true })
  await mailer.send(mail)
  await mailer.close()
  expect(server.received()).toContain(`MAIL FROM:<${sender}>`)
  expect(server.received()).toContain('RCPT TO:<asha@example.in>')
  expect(server.received()).toContain(`From: Tezi <${sender}>`)
  expect(server.received()).toContain('Content-Type: text/plain; charset=utf-8')
  expect(server.received()).toContain('one\r\n..\r\ntwo')
  expect(server.received().includes('AUTH PLAIN')).toBe(rest.includes('@HOST'))
})

test('rejects when the server does not accept it', async () => {
  const strict = await fakeSmtp({ rejectsRecipients: true })
  onTestFinished(() => strict.close())
  const mailer = smtpMailer({
    smtpUrl: `smtp://127.0.0.1:${strict.port}`,
    siteHost: 'tezi.example',
    brandName: 'Tezi',
    isTlsOptional: true,
  })
  await expect(mailer.send(mail)).rejects.toThrow('550')
  await mailer.close()
})

test('a server without STARTTLS gets neither password nor mail', async () => {
  const mailer = smtpMailer({
    smtpUrl: urlOf('user:pass@HOST'),
    siteHost: 'tezi.example',
    brandName: 'Tezi',
    isTlsOptional: false,
  })
  await expect(mailer.send(mail)).rejects.toThrow(/502|STARTTLS/)
  await mailer.close()
  for (const secret of ['AUTH', 'MAIL FROM', 'asha@example.in', 'two']) expect(server.received()).not.toContain(secret)
})

test.each([
  ['', ['mail.tezi.example:587']],
  ['.tezi.example', []],
])('goes through the proxy, unless NO_PROXY %j names the mail server', async (direct, asked) => {
  const proxy = await connectProxy(server.port)
  onTestFinished(() => proxy.close())
  const options = { siteHost: 'tezi.example', brandName: 'Tezi', isTlsOptional: true, proxy: { url: proxy.url, direct } }
  const mailer = smtpMailer({ ...options, smtpUrl: 'smtp://mail.tezi.example' })
  const sent = mailer.send(mail)
  if (asked.length > 0) await sent
  else await expect(sent).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
  await mailer.close()
  expect(proxy.asked).toEqual(asked)
  expect(server.received().includes('RCPT TO:<asha@example.in>')).toBe(asked.length > 0)
})
