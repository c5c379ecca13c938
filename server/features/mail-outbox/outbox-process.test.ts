// Which server shows its mails on a page: only one in development without a mail server.
import { beforeAll, expect, test } from 'vitest'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { startServer } from '#server/testing/process.ts'

const own = { DATABASE_URL: '', ADMIN_EMAIL: 'owner@tezi.example', ADMIN_PASSWORD: 'Kesar-Chai-42-Elaichi' }
beforeAll(async () => {
  own.DATABASE_URL = await emptyDatabaseUrl('outbox')
})

test.each([
  ['production', { NODE_ENV: 'production' }, 503],
  ['no environment', {}, 503],
  // Nothing listens there; the mail is lost, without visible effects.
  ['development with a mail server', { NODE_ENV: 'development', SMTP_URL: 'smtp://127.0.0.1:1' }, 200],
])('%s has no page of mails', async (_, environment, status) => {
  const server = await startServer({ ...own, ...environment })
  try {
    expect((await askForLink(server.url)).status).toBe(status)
    const response = await fetch(`${server.url}/dev/outbox`)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('#token=')
    expect(server.output()).not.toContain('/dev/outbox\n')
  } finally {
    await server.stop()
  }
})

test('development without a mail server has it, logs its address, and prints the mails too', async () => {
  const server = await startServer({ ...own, NODE_ENV: 'development' })
  try {
    expect(server.output()).toContain(`Mails: ${server.url}/dev/outbox\n`)
    const account = {
      name: 'Asha',
      email: 'asha@example.in',
      phone: '9876543210',
      password: 'Kesar-Chai-42',
      confirmPassword: 'Kesar-Chai-42',
    }
    const signedUp = await fetch(`${server.url}/api/v1/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect(signedUp.status).toBe(201)
    await expect
      .poll(async () => (await fetch(`${server.url}/dev/outbox`)).text())
      .toMatch(new RegExp(`<a href="${server.url}/confirm-email#token=[\\w-]{43}">`))
    await expect.poll(() => server.output()).toContain('Mail to asha@example.in: Tezi: confirm your email address')
  } finally {
    await server.stop()
  }
})

function askForLink(url: string): Promise<Response> {
  return fetch(`${url}/api/v1/auth/password-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: own.ADMIN_EMAIL }),
  })
}
