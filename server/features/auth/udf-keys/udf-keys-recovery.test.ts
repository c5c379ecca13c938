// UDF keys of a recovered account: an attacker keeps none.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { operatorService } from '../operator-service.ts'
import { passwordHasher } from '../password.ts'
import { PasswordRepository } from '../password-repository.ts'

const newPassword = 'Monsoon-Rain-77'

let server: TestApp
let user: { id: string; email: string }
let browser: Browser
let admin: Browser
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser()
  browser = await signedIn(user.email)
  admin = await signedIn((await server.addUser({ role: 'admin' })).email)
})
afterAll(() => server.close())

async function signedIn(email: string): Promise<Browser> {
  const one = server.browser()
  await one.signIn(email)
  return one
}

const create = async (by = browser) => (await by.client.udfKeys.create({ body: { name: 'OpenBB' } })).data.key
const statusOf = async (key: string) => (await server.browser().send({ method: 'GET', path: `/udf/k/${key}/config` })).statusCode
const lastAct = () =>
  server.database.db
    .selectFrom('audit_log')
    .select(['action', 'target', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

async function resetByLink(): Promise<void> {
  await server.browser().client.passwords.askForLink({ body: { email: user.email } })
  const linkMail = () => server.outbox.mails.find(({ subject }) => subject === 'Tezi: set a new password')
  await expect.poll(linkMail).toBeDefined()
  const token = /#token=([\w-]{43})$/m.exec(linkMail()?.text ?? '')?.[1] ?? ''
  await server.browser().client.passwords.useLink({ body: { token, newPassword, confirmPassword: newPassword } })
}

const resetByAdmin = () => admin.client.passwords.resetPassword({ body: { email: user.email, newPassword } })

const resetByOperator = () => {
  const hasher = passwordHasher('cheap')
  return operatorService({ db: server.database.db, hasher, now: () => server.clock.nowMs }).resetPassword(user.email, () =>
    Promise.resolve(),
  )
}

async function resetFactor(): Promise<void> {
  await addTotp(server, browser)
  await admin.client.factors.reset({ body: { email: user.email } })
}

test('a change of the password by its owner keeps the keys', async () => {
  const key = await create()
  await browser.client.passwords.changePassword({ body: { currentPassword: testPassword, newPassword, confirmPassword: newPassword } })
  expect(await statusOf(key)).toBe(200)
})

describe('all keys are revoked at once, and those of others are kept', () => {
  test.each([
    ['a reset by a link in a mail', resetByLink, 'password-changed'],
    ['a reset by an admin', resetByAdmin, 'password-reset'],
    ['a reset on the machine', resetByOperator, 'password-reset'],
    ['a reset of the second factor', resetFactor, 'second-factor-reset'],
  ])('by %s', async (_, recover, action) => {
    const keys = [await create(), await create()]
    const other = await create(admin)
    await recover()
    expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401])
    expect(await lastAct()).toMatchObject({ action, target: user.email, details: { udfKeysRevoked: 2 } })
    const again = await signedIn(user.email)
    expect((await again.client.udfKeys.list()).data).toEqual([])
    expect(await statusOf(other)).toBe(200)
  })
})

test('a key created concurrently does not survive', async () => {
  const { creating } = await server.database.db.transaction().execute(async (recovery) => {
    const at = new Date(server.clock.nowMs)
    await recovery.updateTable('users').set({ password_hash: 'x' }).where('id', '=', user.id).execute()
    const creating = browser.send({ method: 'POST', path: '/api/v1/user/udf-keys', body: { name: 'OpenBB' } })
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(server.database.db)).rows.length).toBe(1)
    await new PasswordRepository(recovery).endSessionsOf(user.id, undefined, at, 'password reset')
    return { creating }
  })
  expect((await creating).statusCode).toBe(401)
  expect(await server.database.db.selectFrom('udf_keys').select('id').execute()).toEqual([])
})
