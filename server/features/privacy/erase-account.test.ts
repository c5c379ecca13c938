// Erasing an account through the API: rejections, what remains under the id, races, and a new account with the same email.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { premiumColumns, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { addMember, addPlans, type Member } from '#server/testing/subscriptions.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { noWorkspace } from '#shared/workspace/workspace.ts'

const claim = { type: 'regular', utrNo: '6324 1234 5678' }

let server: TestApp
let admin: Member
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  await addPlans(server)
  admin = await addMember(server, { role: 'admin' })
})
afterAll(() => server.close())

const eraseOf = (member: Member, password = testPassword) => member.browser.client.privacy.eraseAccount({ body: { password } })
const isThere = async (id: string) =>
  (await server.database.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
const isSignedIn = async (member: Member) => (await member.browser.send({ method: 'GET', path: '/api/v1/user' })).statusCode === 200

/** A workspace with a layout, and a note on the chart. */
async function draw(member: Member, text: string): Promise<void> {
  const layout = { id: 'l1', name: 'Unusual layout', grid: 1, areSymbolsLinked: false, areTimeframesLinked: false } as const
  const charts = [{ slug: 'nifty', timeframe: '5' }] as const
  const { client } = member.browser
  await client.workspace.save({ body: { version: 0, workspace: { ...noWorkspace, layouts: [{ ...layout, charts: [...charts] }] } } })
  const note = { id: 'n', kind: 'text', anchors: [{ timeMs: 0, price: 1 }], colour: 'accent', width: 1, text } as const
  await client.workspace.saveDrawings({
    params: { slug: 'nifty' },
    body: { version: 0, drawings: [{ ...note, anchors: [...note.anchors] }] },
  })
}

/** The whole database as text, without the plans' images. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    server.database.db,
  )
  const texts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select row_to_json(one)::text as row from ${sql.table(name)} as one`.execute(
      server.database.db,
    )
    return rows.map(({ row }) => `${name} ${row}`).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}

describe('is rejected', () => {
  test('without a password, and with a wrong one', async () => {
    const member = await addMember(server)
    await expect(eraseOf(member, '')).rejects.toMatchObject({
      status: 400,
      message: 'Please enter your password',
      fields: { password: 'Please enter your password' },
    })
    await expect(eraseOf(member, 'wrong-one')).rejects.toMatchObject({ status: 400, code: 'admin.passwordWrong' })
    expect(await isThere(member.id)).toBe(true)
    expect(await isSignedIn(member)).toBe(true)
  })

  test('after eight wrong passwords', async () => {
    const member = await addMember(server)
    for (let guess = 0; guess < 8; guess += 1) await expect(eraseOf(member, `guess-${guess}`)).rejects.toMatchObject({ status: 400 })
    await expect(eraseOf(member)).rejects.toMatchObject({ status: 429 })
    expect(await isThere(member.id)).toBe(true)
  })

  test('for the last admin, without any change', async () => {
    await expect(eraseOf(admin)).rejects.toMatchObject({
      status: 409,
      code: 'privacy.lastAdmin',
      message: 'You are the only admin. Make another user an admin before you erase this account.',
    })
    expect(await isSignedIn(admin)).toBe(true)
    expect(await server.database.db.selectFrom('erasures').selectAll().execute()).toEqual([])
  })

  test('for one of two admins who leave at once', async () => {
    const second = await addMember(server, { role: 'admin' })
    const outcomes = await Promise.allSettled([eraseOf(admin), eraseOf(second)])
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await server.database.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()).toHaveLength(1)
  })
})

test('removes second factors', async () => {
  const member = await addMember(server, {}, testPassword)
  await addTotp(server, member.browser)
  await eraseOf(member)
  for (const table of ['totp_secrets', 'recovery_codes', 'passkeys', 'sign_in_challenges'] as const)
    expect(await server.database.db.selectFrom(table).select('user_id').where('user_id', '=', member.id).execute()).toEqual([])
})

describe('leaves', () => {
  let member: Member
  beforeEach(async () => {
    const person = { name: 'Asha Unusual', email: 'unusual@example.in', phone: '9123456780', consent_notice: null }
    member = await addMember(server, person, testPassword)
    await member.browser.client.privacy.giveConsent({ body: { noticeVersion, isAdult: true } })
    await member.browser.client.subscriptions.submit({ body: claim })
    await admin.browser.client.subscriptions.setStatus({ body: { id: member.id, status: true } })
    await admin.browser.client.subscriptions.changeMonths({ body: { email: member.email, months: 4 } })
    await member.browser.client.presence.beOnline({ body: { tabId: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01' } })
    await draw(member, 'Unusual zone')
    await admin.browser.send({ method: 'GET', path: '/api/v1/admin/users.csv?search=unusual@ex' })
    await server.browser().send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email: member.email, password: 'wrong-one' } })
  })

  test('no name, email, phone or password anywhere, and ends every session at once', async () => {
    const elsewhere = server.browser({ address: '192.0.2.44' })
    await elsewhere.signIn(member.email)
    const { password_hash: hash } = await server.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    const before = await dump()
    for (const kept of ['Asha Unusual', 'Unusual zone', 'Unusual layout']) expect(before).toContain(kept)
    const response = await member.browser.send({ method: 'POST', path: '/api/v1/user/privacy/erase', body: { password: testPassword } })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ success: true, message: 'Your account is erased' })
    expect(response.cookies).toMatchObject([
      { name: 'tezi_session', value: '' },
      { name: 'tezi_device', value: '' },
    ])
    const text = await dump()
    // Test users share one password hash, so the row is checked instead.
    expect(hash).not.toBe('')
    for (const trace of ['Unusual', 'unusual@ex', '9123456780', `users {"id":"${member.id}"`])
      expect(text.toLowerCase()).not.toContain(trace.toLowerCase())
    expect(await isSignedIn(member)).toBe(false)
    expect((await elsewhere.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
    await expect(server.browser().signIn(member.email, testPassword)).rejects.toMatchObject({
      status: 401,
      message: 'Invalid email or password',
    })
    expect((await admin.browser.client.presence.online()).onlineUsers).toEqual([])
    expect((await admin.browser.client.admin.users({ query: { search: 'unusual' } })).length).toBe(0)
  })

  test('under the id only payment, history, access log, consent and the audit rows', async () => {
    await eraseOf(member)
    const { db } = server.database
    const lines = (await dump()).split('\n').filter((line) => line.includes(member.id))
    expect([...new Set(lines.map((line) => line.split(' ')[0] ?? ''))].toSorted()).toEqual([
      // This and the counters are deleted within the hour.
      'access_changes',
      'audit_log',
      'consents',
      'erasures',
      'payment_requests',
      'rate_counters',
      'sessions',
      'subscription_history',
    ])
    expect(await db.selectFrom('payment_requests').selectAll().execute()).toMatchObject([
      {
        user_id: member.id,
        reference: '632412345678',
        reference_raw: '632412345678',
        price_minor: '299950',
        status: 'accepted',
        decided_by: admin.id,
      },
    ])
    const history = await db.selectFrom('subscription_history').selectAll().orderBy('id').execute()
    expect(history.map((row) => [row.command, row.reason])).toEqual([
      ['submit', null],
      ['accept', null],
      ['months', '3 to 4'],
      ['suspend', 'account erased'],
    ])
    expect(history.at(-1)).toMatchObject({ status_before: 'paid', status_after: 'cancel', premium_end_after: new Date(server.clock.nowMs) })
    const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', member.id).execute()
    expect(sessions).toMatchObject([{ end_reason: 'account erased', ended_at: new Date(server.clock.nowMs) }])
    expect(await db.selectFrom('consents').select(['act', 'user_id']).execute()).toEqual([{ act: 'given', user_id: member.id }])
    expect((await admin.browser.client.admin.overview()).data.revenue.at(-1)).toMatchObject({ inr: 2999.5 })
  })

  test('the log with ids, actions, a pseudonym and hashed addresses; the address of the admin is kept', async () => {
    const before = await server.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
    await eraseOf(member)
    const rows = await server.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
    const about = rows.filter((row) => row.target_id === member.id || row.actor_id === member.id)
    const pseudonym = `erased-${member.id.slice(-12)}`
    const isHashed = (address: string) => /^hash:[0-9a-f]{16}$/.test(address)
    expect(about.map((row) => [row.action, row.actor, row.target, isHashed(row.address)])).toEqual([
      ['sign-in', pseudonym, pseudonym, true],
      ['subscription-accept', admin.email, pseudonym, false],
      ['subscription-months', admin.email, pseudonym, false],
      ['sign-in-failed', 'nobody', pseudonym, true],
      ['account-erased', pseudonym, pseudonym, true],
    ])
    expect(about.slice(0, -1).map((row) => row.at)).toEqual(
      before.filter((row) => row.target_id === member.id || row.actor_id === member.id).map((row) => row.at),
    )
    // One address, one hash.
    expect(about.at(-1)?.address).toBe(about[0]?.address)
    expect(about[3]?.address).not.toBe(about[0]?.address)
    expect(rows.find((row) => row.action === 'users-exported')?.details).toEqual({ filter: { search: pseudonym } })
  })

  test('the search of an export that also matches another user, whatever name the erased account had', async () => {
    await server.addUser({ name: 'Gold Trader' })
    await admin.browser.send({ method: 'GET', path: '/api/v1/admin/users.csv?search=gold' })
    const exports = () => server.database.db.selectFrom('audit_log').select('details').where('action', '=', 'users-exported').execute()
    const decoy = await addMember(server, { name: 'gold' }, testPassword)
    await eraseOf(decoy)
    expect((await exports()).map((row) => row.details)).toEqual([{ filter: { search: 'unusual@ex' } }, { filter: { search: 'gold' } }])
  })

  test('the log entries of an admin who erases their account', async () => {
    const rogue = await addMember(server, { role: 'admin' }, testPassword)
    await rogue.browser.send({ method: 'GET', path: '/api/v1/admin/users.csv?search=unusual@ex' })
    await eraseOf(rogue)
    const rows = await server.database.db.selectFrom('audit_log').selectAll().where('actor_id', '=', rogue.id).orderBy('id').execute()
    expect(rows.map((row) => row.action)).toEqual(['sign-in', 'users-exported', 'account-erased'])
    expect(new Set(rows.map((row) => row.actor))).toEqual(new Set([`erased-${rogue.id.slice(-12)}`]))
    expect(rows[1]?.details).toEqual({ filter: { search: 'unusual@ex' } })
  })

  test('the reference claimed forever, and the email free for a new account without data of the old one', async () => {
    await eraseOf(member)
    const form = { name: 'Asha', email: member.email, phone: '9123456780', password: testPassword, confirmPassword: testPassword }
    await server.browser().client.auth.signUp({ body: form })
    const browser = server.browser()
    await browser.signIn(member.email)
    const me = await browser.client.users.me()
    expect(me._id).not.toBe(member.id)
    expect(me).toMatchObject({ status: null, isPremium: false, utrNo: null })
    expect((await browser.client.subscriptions.ownHistory()).data).toEqual([])
    await expect(browser.client.subscriptions.submit({ body: claim })).rejects.toMatchObject({
      status: 409,
      code: 'subscriptions.referenceUsed',
    })
  })

  test('no way for an admin to act on the erased account', async () => {
    await eraseOf(member)
    await expect(admin.browser.client.subscriptions.setStatus({ body: { id: member.id, status: true } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      admin.browser.client.passwords.resetPassword({ body: { email: member.email, newPassword: 'Monsoon-Rain-77' } }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

test('a pending request as declined', async () => {
  const member = await addMember(server)
  await member.browser.client.subscriptions.submit({ body: claim })
  await eraseOf(member)
  expect((await admin.browser.client.subscriptions.requests()).data).toEqual([])
  const { db } = server.database
  expect(await db.selectFrom('payment_requests').select(['status', 'decided_at']).execute()).toEqual([
    { status: 'declined', decided_at: new Date(server.clock.nowMs) },
  ])
  const [last] = await db.selectFrom('subscription_history').selectAll().orderBy('id', 'desc').limit(1).execute()
  expect(last).toMatchObject({ command: 'decline', reason: 'account erased', status_before: 'pending', status_after: 'cancel' })
})

describe('concurrently with', () => {
  test('a claim: either the claim comes first and is declined, or it finds no account', async () => {
    for (let round = 0; round < 6; round += 1) {
      const member = await addMember(server)
      const utrNo = String(632_400_000_000 + round)
      const [response] = await Promise.all([
        member.browser.send({ method: 'POST', path: '/api/v1/user/payment', body: { type: 'regular', utrNo } }),
        eraseOf(member),
      ])
      expect([201, 401, 404]).toContain(response.statusCode)
      const requests = await server.database.db.selectFrom('payment_requests').selectAll().where('user_id', '=', member.id).execute()
      expect(requests.map((request) => request.status)).toEqual(response.statusCode === 201 ? ['declined'] : [])
    }
  })

  test('a decision: the records end closed, whichever is first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const member = await addMember(server)
      await member.browser.client.subscriptions.submit({ body: { type: 'regular', utrNo: String(632_500_000_000 + round) } })
      const [response] = await Promise.all([
        admin.browser.send({ method: 'POST', path: '/api/v1/admin/userstatus', body: { id: member.id, status: true } }),
        eraseOf(member),
      ])
      expect([200, 404]).toContain(response.statusCode)
      const history = await server.database.db
        .selectFrom('subscription_history')
        .selectAll()
        .where('user_id', '=', member.id)
        .orderBy('id')
        .execute()
      expect(history.at(-1)).toMatchObject({ reason: 'account erased', status_after: 'cancel' })
      const [request] = await server.database.db.selectFrom('payment_requests').selectAll().where('user_id', '=', member.id).execute()
      expect(request?.status).toBe(response.statusCode === 200 ? 'accepted' : 'declined')
    }
  })

  test('a call that writes for the account: it waits, finds no account and returns 401', async () => {
    const member = await addMember(server, premiumColumns)
    const settings = (await member.browser.client.chart.settings()).data
    const { response } = await server.database.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('users').where('id', '=', member.id).execute()
      const response = member.browser.send({ method: 'PUT', path: '/api/v1/user/chart-settings', body: settings })
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting.execute(transaction)).rows.length).toBe(1)
      return { response }
    })
    expect((await response).statusCode).toBe(401)
    expect((await response).json()).toMatchObject({ code: 'auth.sessionMissing', message: 'Please sign in to continue' })
  })

  test('itself, a sign-in and other calls: one erasure, no 500 and no active session', async () => {
    const member = await addMember(server, premiumColumns)
    const settings = (await member.browser.client.chart.settings()).data
    const calls = [
      { method: 'POST', path: '/user/privacy/erase', body: { password: testPassword } },
      { method: 'POST', path: '/user/privacy/erase', body: { password: testPassword } },
      { method: 'POST', path: '/user/presence', body: { tabId: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01' } },
      { method: 'PUT', path: '/user/chart-settings', body: settings },
      { method: 'POST', path: '/user/privacy/withdraw', body: { isSure: true } },
      { method: 'POST', path: '/auth/sign-in', body: { email: member.email, password: testPassword } },
      { method: 'POST', path: '/auth/sign-in', body: { email: member.email, password: 'wrong-one' } },
      { method: 'GET', path: '/user/privacy/export' },
    ]
    // Elsewhere: a sign-in here would replace the session of the others.
    const elsewhere = server.browser()
    const responses = await Promise.all(
      calls.map((call) => (call.path === '/auth/sign-in' ? elsewhere : member.browser).send({ ...call, path: `/api/v1${call.path}` })),
    )
    for (const response of responses) expect(response.statusCode).toBeLessThan(500)
    expect(await server.database.db.selectFrom('erasures').selectAll().execute()).toHaveLength(1)
    const alive = await server.database.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', member.id)
      .where('ended_at', 'is', null)
      .execute()
    expect(alive).toEqual([])
    expect(await isThere(member.id)).toBe(false)
  })
})
