// Personal data as one file: rate limited, complete, equal to the database, and without data of others.
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMs, testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { addMember, addPlans } from '#server/testing/subscriptions.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { noWorkspace, type Workspace } from '#shared/workspace/workspace.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const exportPath = '/api/v1/user/privacy/export'
const take = (browser: Browser) => browser.send({ method: 'GET', path: exportPath })
const start = new Date(startMs).toISOString()

const workspace: Workspace = { ...noWorkspace, favourites: ['nifty', 'sensex'], studyInputs: { rsi: { length: 21 } } }
const note = { id: 'n', kind: 'text' as const, anchors: [{ timeMs: startMs, price: 25_000.05 }], colour: 'accent' as const, width: 1 }
const drawing = { ...note, text: 'Resistance of Asha' }

/** A user with two-factor sign-in, consent, an accepted payment, toggles, drawings, a failed sign-in, a mailed link, and an open tab. */
async function live() {
  await addPlans(server)
  const admin = await addMember(server, { role: 'admin', email: 'chief@example.in', name: 'Chief' })
  const member = await addMember(server, { consent_notice: null, name: 'Asha "A" Rao' }, testPassword)
  const { client } = member.browser
  await client.privacy.giveConsent({ body: { noticeVersion, isAdult: true } })
  await client.subscriptions.submit({ body: { type: 'regular', utrNo: '6324 1234 5678' } })
  await admin.browser.client.subscriptions.setStatus({ body: { id: member.id, status: true } })
  const settings = (await client.chart.settings()).data
  await client.chart.saveSettings({ body: { ...settings, zigZag: true } })
  await client.workspace.save({ body: { version: 0, workspace } })
  await client.workspace.saveDrawings({ params: { slug: 'nifty' }, body: { version: 0, drawings: [drawing] } })
  await server.browser({ address: '192.0.2.9' }).send({
    method: 'POST',
    path: '/api/v1/auth/sign-in',
    body: { email: member.email, password: 'wrong-one' },
  })
  const factor = await addTotp(server, member.browser)
  await client.passwords.askForLink({ body: { email: member.email } })
  await client.email.change({ body: { email: 'new@example.in', password: testPassword } })
  await client.presence.beOnline({ body: { tabId: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01' } })
  // The second factor, the password link, the link to the new address, and the notice to the current one.
  await expect.poll(() => server.outbox.mails.length).toBe(4)
  return { admin, member, factor }
}

test('without a session there is no file, and the seventh one in an hour is rejected', async () => {
  expect((await take(server.browser())).statusCode).toBe(401)
  const { browser } = await addMember(server)
  for (let time = 0; time < 6; time += 1) expect((await take(browser)).statusCode).toBe(200)
  const refused = await take(browser)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ message: 'You have downloaded your data several times already. Please try again later.' })
  expect(refused.headers['retry-after']).toBe('3600')
  server.clock.nowMs += 3_600_000
  await browser.client.passwords.confirm({ body: { password: testPassword } })
  expect((await take(browser)).statusCode).toBe(200)
})

test('the file is an attachment and contains what the database has about the user', async () => {
  const { admin, member, factor } = await live()
  const response = await take(member.browser)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['content-disposition']).toBe('attachment; filename="my-data.json"')
  expect(response.headers['cache-control']).toContain('no-store')
  const { db } = server.database
  const user = await db.selectFrom('users').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()
  const session = await db.selectFrom('sessions').selectAll().where('user_id', '=', member.id).executeTakeFirstOrThrow()
  const end = user.premium_end?.toISOString()
  expect(response.json()).toMatchObject({
    exportedAt: start,
    account: {
      id: member.id,
      name: 'Asha "A" Rao',
      email: member.email,
      phone: '9876543210',
      role: 'user',
      status: 'paid',
      createdAt: start,
      premiumStart: start,
      premiumEnd: end,
      subscriptionMonths: 3,
      paymentType: 'upi',
      reference: '632412345678',
      consentNotice: noticeVersion,
      consentWithdrawnAt: null,
    },
    consents: [{ at: start, act: 'given', noticeVersion, isAdult: true, place: 'account' }],
    paymentRequests: [
      {
        type: 'regular',
        months: 3,
        priceMinor: '299950',
        referenceAsTyped: '6324 1234 5678',
        reference: '632412345678',
        status: 'accepted',
      },
    ],
    subscriptionHistory: [
      { command: 'submit', by: 'you', statusAfter: 'pending' },
      { command: 'accept', by: 'support', statusAfter: 'paid', premiumEndAfter: end },
    ],
    chartSettings: { flags: { zigZag: true, volumeDelta: false }, updatedAt: start },
    workspace: { content: workspace, updatedAt: start },
    drawings: [{ series: 'nifty', items: [drawing], updatedAt: start }],
    sessions: [{ id: session.id, createdAt: start, address: session.address, userAgent: session.user_agent, endedAt: null }],
    openTabs: [{ sessionId: session.id, tabId: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01' }],
    passwordLinks: [{ createdAt: start, usedAt: null }],
    emailLinks: [{ email: 'new@example.in', createdAt: start, usedAt: null }],
    authenticatorApp: { createdAt: start },
    passkeys: [],
    recoveryCodes: Array.from({ length: 10 }, () => ({ createdAt: start, usedAt: null })),
    auditLog: [
      { action: 'sign-in', by: 'you', target: member.email, address: session.address },
      { action: 'subscription-accept', by: 'support', target: member.email, address: null },
      { action: 'sign-in-failed', by: 'not signed in', address: '192.0.2.9' },
      { action: 'second-factor-added', by: 'you' },
      { action: 'data-exported', by: 'you' },
    ],
  })
  const ofFactor = [factor.secret, ...factor.recoveryCodes]
  for (const secret of [
    ...ofFactor,
    user.password_hash,
    session.cookie_hash.toString('hex'),
    'argon2',
    admin.email,
    admin.id,
    'Chief',
    testPassword,
  ])
    expect(response.body).not.toContain(secret)
})

test('it contains nothing about other users', async () => {
  const { member } = await live()
  const { browser } = await addMember(server, { name: 'Other Person' })
  const { body } = await take(browser)
  expect(body).toContain('Other Person')
  for (const foreign of [member.id, member.email, '632412345678', drawing.text]) expect(body).not.toContain(foreign)
})

test('an admin who exports personal data gets the ids, not the names, of affected users', async () => {
  const { admin, member } = await live()
  const { body } = await take(admin.browser)
  expect(body).toContain(member.id)
  expect(body).not.toContain(member.email)
})

test('every table that references a user is handled by the export and the erasure', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'actor_id', 'target_id', 'decided_by')
    union select conrelid::regclass::text from pg_constraint where confrelid = 'users'::regclass and contype = 'f'
    order by 1`.execute(server.database.db)
  // A new table needs a section in export.ts, handling in erase.ts and a line in docs/operating/privacy.md.
  expect(rows.map((row) => row.name)).toEqual([
    // An id and a time, for an hour; no section.
    'access_changes',
    'audit_log',
    'broker_connections',
    'chart_settings',
    'consents',
    'drawings',
    'email_links',
    'erasures',
    // Responses kept for a day for the same sender; no section.
    'idempotency_keys',
    // A challenge of a quarter of an hour; no section.
    'passkey_registrations',
    'passkeys',
    'password_links',
    'payment_requests',
    'presence',
    'recovery_codes',
    'sessions',
    // A sign-in of the last five minutes; no section.
    'sign_in_challenges',
    'subscription_history',
    'totp_secrets',
    'workspaces',
  ])
  const page = await readFile(new URL('../../../docs/operating/privacy.md', import.meta.url), 'utf8')
  expect(rows.map((row) => row.name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('every column of the account is in the file, except secrets and duplicates', async () => {
  const { browser } = await addMember(server)
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'users'`.execute(
    server.database.db,
  )
  const account = (await take(browser)).json<{ account: object }>().account
  const names = rows.map((row) => row.name).filter((name) => name !== 'password_hash' && name !== 'search')
  const camel = (name: string) => (name === 'utr_no' ? 'reference' : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
  expect(Object.keys(account).toSorted()).toEqual(names.map(camel).toSorted())
})
