// A server that is killed while it makes a change, or before the mail server has answered.
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '#server/db/open-pool.ts'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { fakeSmtp } from '#server/testing/fake-smtp.ts'
import { startServer } from '#server/testing/process.ts'

const password = 'Kesar-Chai-42'
const account = { name: 'Asha', email: 'asha@example.in', phone: '9876543210', password, confirmPassword: password }

/** A server whose mail server is down. */
async function openServer(suffix: string) {
  const down = await fakeSmtp()
  down.close()
  const environment = {
    DATABASE_URL: await emptyDatabaseUrl(suffix),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${down.port}`,
    SMTP_TLS: 'optional',
  }
  const server = await startServer(environment)
  const pool = openPool({ connection: { connectionString: environment.DATABASE_URL }, log: () => undefined })
  onTestFinished(() => pool.close())
  return {
    server,
    db: pool.db,
    signUp: async () => {
      const answer = await fetch(`${server.url}/api/v1/auth/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      })
      expect(answer.status).toBe(201)
    },
    /** Starts it again, with a mail server. */
    expectMailAfterStart: async () => {
      const smtp = await fakeSmtp({ port: down.port })
      onTestFinished(() => smtp.close())
      const next = await startServer(environment)
      onTestFinished(async () => void (await next.stop()))
      await expect.poll(() => smtp.received(), { timeout: 60_000 }).toMatch(/RCPT TO:<asha@example\.in>[^]*token/)
    },
  }
}

test('the next start sends the mail that a killed server has promised', async () => {
  const { server, db, signUp, expectMailAfterStart } = await openServer('mail_kill')
  await signUp()
  const retried = async () => (await sql`select from jobs.job where name = 'mails' and state = 'retry'`.execute(db)).rows.length
  await expect.poll(retried, { timeout: 60_000 }).toBe(1)
  await server.stop('SIGKILL')
  expect(server.output()).toContain('a mail was not sent')
  await expectMailAfterStart()
})

test('the mail of a change is stored with it, also if the server is killed before it knows of the commit', async () => {
  const { server, db, signUp, expectMailAfterStart } = await openServer('mail_commit')
  await sql`create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7); return null; end $$`.execute(db)
  await sql`create constraint trigger wait_at_commit after insert on email_links deferrable initially deferred
    for each row execute function wait_at_commit()`.execute(db)
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(7)`.execute(transaction)
    await signUp()
    const waiting = async () => (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows.length
    await expect.poll(waiting).toBe(1)
    await server.stop('SIGKILL')
  })
  await expect.poll(async () => (await db.selectFrom('email_links').select('email').execute()).length).toBe(1)
  await expectMailAfterStart()
})
