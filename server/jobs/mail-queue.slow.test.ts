// A server that is killed before the mail server has answered.
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '#server/db/open-pool.ts'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { fakeSmtp } from '#server/testing/fake-smtp.ts'
import { startServer } from '#server/testing/process.ts'

const password = 'Kesar-Chai-42'
const account = { name: 'Asha', email: 'asha@example.in', phone: '9876543210', password, confirmPassword: password }

test('the next start sends the mail that a killed server has promised', async () => {
  const down = await fakeSmtp()
  down.close()
  const environment = {
    DATABASE_URL: await emptyDatabaseUrl('mail_kill'),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${down.port}`,
    SMTP_TLS: 'optional',
  }
  const killed = await startServer(environment)
  const answer = await fetch(`${killed.url}/api/v1/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  expect(answer.status).toBe(201)
  const pool = openPool({ connection: { connectionString: environment.DATABASE_URL }, log: () => undefined })
  onTestFinished(() => pool.close())
  const retried = async () => (await sql`select from jobs.job where name = 'mails' and state = 'retry'`.execute(pool.db)).rows.length
  await expect.poll(retried, { timeout: 60_000 }).toBe(1)
  await killed.stop('SIGKILL')
  expect(killed.output()).toContain('a mail was not sent')

  const smtp = await fakeSmtp({ port: down.port })
  onTestFinished(() => smtp.close())
  const next = await startServer(environment)
  onTestFinished(async () => void (await next.stop()))
  await expect.poll(() => smtp.received(), { timeout: 60_000 }).toMatch(/RCPT TO:<asha@example\.in>[^]*token/)
})
