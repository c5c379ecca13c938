// Changes and the mails about them: both happen or none, in the database's queue and without it.
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp, codeOf } from '#server/testing/factors.ts'

const servers = {
  'the queue': await testApp({ hasOwnDatabase: true, hasMailQueue: true }),
  'a mailer in memory': await testApp({ hasOwnDatabase: true }),
}
let server: TestApp
beforeEach(() => Promise.all(Object.values(servers).map((each) => each.reset())))
afterAll(() => Promise.all(Object.values(servers).map((each) => each.close())))

const db = () => server.database.db
const post = (path: string, body: unknown, browser: Browser = server.browser(), headers: Record<string, string> = {}) =>
  browser.send({ method: 'POST', path: `/api/v1${path}`, body, headers })
const newPassword = 'Monsoon-Rain-77'
const email = 'asha@example.in'
const form = { name: 'Asha', phone: '9876543210', password: testPassword, confirmPassword: testPassword }
const memberBrowser = (values: { email_confirmed_at?: null } = {}) => server.signedIn({ email, ...values })
const adminBrowser = () => server.signedIn({ role: 'admin' })
async function browserWithTotp(): Promise<Browser> {
  const browser = await memberBrowser()
  await addTotp(server, browser)
  return browser
}
const mailsAre = (count: number) => expect.poll(() => server.outbox.mails.length).toBe(count)

/** What changes, the table of a row that the change adds, the change after its preparation, and who gets a mail. */
const changes: [string, string, () => Promise<(attempt: number) => Promise<unknown>>, string[]][] = [
  [
    'a changed password',
    'audit_log',
    async () => {
      const browser = await memberBrowser()
      return () => post('/user/password', { currentPassword: testPassword, newPassword, confirmPassword: newPassword }, browser)
    },
    [email],
  ],
  [
    'a password set by an admin',
    'audit_log',
    async () => {
      const [admin] = [await adminBrowser(), await memberBrowser()]
      return () => post('/auth/forgot-password', { email, newPassword }, admin)
    },
    [email],
  ],
  [
    'a link to a new password',
    'password_links',
    async () => {
      await server.addUser({ email })
      return () => post('/auth/password-link', { email })
    },
    [email],
  ],
  [
    'a claimed address',
    'password_links',
    async () => {
      await server.addUser({ email, email_confirmed_at: null })
      return () => post('/auth/sign-up', { ...form, email })
    },
    [email],
  ],
  [
    'the link of a new account',
    'email_links',
    () => Promise.resolve((attempt) => post('/auth/sign-up', { ...form, email: `new-${attempt}@example.in` })),
    ['new-2@example.in'],
  ],
  [
    'another link to confirm an address',
    'email_links',
    async () => {
      const browser = await memberBrowser({ email_confirmed_at: null })
      return () => post('/user/email/link', undefined, browser)
    },
    [email],
  ],
  [
    'a link to a new address',
    'email_links',
    async () => {
      const browser = await memberBrowser()
      return () => post('/user/email', { email: 'new@example.in', password: testPassword }, browser)
    },
    [email, 'new@example.in'],
  ],
  [
    'a new address',
    'audit_log',
    async () => {
      await post('/user/email', { email: 'new@example.in', password: testPassword }, await memberBrowser())
      await mailsAre(2)
      const token = /#token=([\w-]{43})$/m.exec(server.outbox.mails.find(({ to }) => to === 'new@example.in')?.text ?? '')?.[1]
      return () => post('/auth/email-link', { token })
    },
    [email, 'new@example.in'],
  ],
  [
    'a session with a new device',
    'sessions',
    async () => {
      const signIn = (agent: string) => post('/auth/sign-in', { email, password: testPassword }, undefined, { 'user-agent': agent })
      await server.addUser({ email })
      await signIn('Chrome')
      server.clock.nowMs += 1
      return () => signIn('Firefox')
    },
    [email],
  ],
  [
    'an added factor',
    'audit_log',
    async () => {
      const browser = await memberBrowser()
      const { secret } = (await browser.client.factors.startTotp()).data
      return () => post('/user/second-factor/totp/confirm', { code: codeOf(secret, server.clock.nowMs) }, browser)
    },
    [email],
  ],
  [
    'new recovery codes',
    'audit_log',
    async () => {
      const browser = await browserWithTotp()
      await mailsAre(1)
      return () => post('/user/second-factor/recovery-codes', undefined, browser)
    },
    [email],
  ],
  [
    'a removed factor',
    'audit_log',
    async () => {
      const browser = await browserWithTotp()
      await mailsAre(1)
      return () => post('/user/second-factor/totp/remove', { password: testPassword }, browser)
    },
    [email],
  ],
  [
    'factors removed by an admin',
    'audit_log',
    async () => {
      const [admin] = [await adminBrowser(), await browserWithTotp()]
      await mailsAre(1)
      return () => post('/admin/reset-two-factor', { email }, admin)
    },
    [email],
  ],
]

async function rowsOf(table: string): Promise<unknown> {
  return (await sql`select count(*) from ${sql.table(table)}`.execute(db())).rows
}
const failed = (why: string) => expect.poll(() => server.logLines.join('\n')).toContain(why)

/** Fails the commits of transactions that add a row. Returns what undoes this. */
async function refuseCommits(table: string): Promise<() => Promise<unknown>> {
  await sql`create or replace function refuse_commit() returns trigger language plpgsql as
    $$ begin raise exception 'refused at the commit'; end $$`.execute(db())
  await sql`create constraint trigger refuse_commit after insert on ${sql.id(table)} deferrable initially deferred
    for each row execute function refuse_commit()`.execute(db())
  return () => sql`drop trigger if exists refuse_commit on ${sql.id(table)}`.execute(db())
}

describe.each(Object.keys(servers) as (keyof typeof servers)[])('with %s', (which) => {
  beforeEach(() => {
    server = servers[which]
  })

  test.each(changes)('%s is mailed once it is stored, not if it is rolled back', async (_, table, prepare, recipients) => {
    const change = await prepare()
    const [rows, mailsBefore] = [await rowsOf(table), server.outbox.mails.length]
    if (which === 'the queue') await sql`delete from jobs.job`.execute(db())
    const allow = await refuseCommits(table)
    onTestFinished(async () => void (await allow()))
    await change(1)
    await failed('refused at the commit')
    expect(await rowsOf(table)).toEqual(rows)
    if (which === 'the queue') expect(await rowsOf('jobs.job')).toEqual([{ count: '0' }])
    await allow()
    await change(2)
    await mailsAre(mailsBefore + recipients.length)
    const mails = server.outbox.mails.slice(mailsBefore)
    expect(mails.map(({ to }) => to).toSorted()).toEqual(recipients)
  })
})

test.each(changes)('%s is not stored if its mail cannot be', async (_, table, prepare) => {
  server = servers['the queue']
  const change = await prepare()
  const [rows, mailsBefore] = [await rowsOf(table), server.outbox.mails.length]
  await sql`alter table jobs.job_common rename to hidden`.execute(db())
  onTestFinished(async () => void (await sql`alter table if exists jobs.hidden rename to job_common`.execute(db())))
  await change(1)
  await failed('job_common')
  expect(await rowsOf(table)).toEqual(rows)
  expect(server.outbox.mails).toHaveLength(mailsBefore)
})
