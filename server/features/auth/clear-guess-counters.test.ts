// Waits that strangers have brought on an account end with its password; what was not checked is not counted.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { solve } from '#server/testing/solve.ts'
import type { Proof } from '#shared/http/proof.ts'
import { operatorCommands } from './operator-commands.ts'
import { passwordHasher } from './password-hasher.ts'

const next = 'Monsoon-Rain-77'

let server: TestApp
let account: { id: string; email: string }
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  account = await server.addUser()
})
afterAll(() => server.close())

const signIn = (browser: Browser, password: string, proof?: Proof) =>
  browser.send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email: account.email, password, proof } })

/** Uses up the free tries and all proofs of the owner's new address; the next attempt gets a bare 429. */
async function lockOut(owner: Browser): Promise<void> {
  for (let guess = 0; guess < 6; guess += 1) await signIn(server.browser({ address: `198.51.100.${guess}` }), 'Monsoon#77')
  for (let guess = 0; guess < 4; guess += 1) await signIn(owner, 'Monsoon#77', solve(await signIn(owner, 'Monsoon#77')))
  const refused = await signIn(owner, testPassword)
  expect([refused.statusCode, refused.json<{ challenge?: unknown }>().challenge]).toEqual([429, undefined])
}

const resets: Record<string, () => Promise<string>> = {
  async operator() {
    let shown = ''
    const operator = operatorCommands({ db: server.database.db, hasher: passwordHasher('cheap'), now: () => server.clock.nowMs })
    await operator.resetPassword(account.email, (password) => Promise.resolve(void (shown = password)))
    return shown
  },
  async admin() {
    const admin = await server.signedIn({ role: 'admin' })
    await admin.client.passwords.resetPassword({ body: { email: account.email, newPassword: next } })
    return next
  },
  async 'mailed link'() {
    await server.browser().client.passwords.askForLink({ body: { email: account.email } })
    await expect.poll(() => server.outbox.mails.length).toBe(1)
    const token = /token=([\w-]+)/.exec(server.outbox.mails[0]?.text ?? '')?.[1] ?? ''
    await server.browser().client.passwords.useLink({ body: { token, newPassword: next, confirmPassword: next } })
    return next
  },
}

describe('a new password', () => {
  test.each(Object.keys(resets))('by %s lets the owner in at once on a new device', async (by) => {
    const owner = server.browser({ address: '192.0.2.50' })
    await lockOut(owner)
    const other = await server.addUser()
    for (let guess = 0; guess < 7; guess += 1)
      await server
        .browser({ address: `198.51.101.${guess}` })
        .send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email: other.email, password: 'x' } })
    const password = (await resets[by]?.()) ?? ''
    expect((await signIn(owner, password)).statusCode).toBe(200)
    // Only of this account.
    const stranger = server.browser({ address: '198.51.101.99' })
    const body = { email: other.email, password: testPassword }
    expect((await stranger.send({ method: 'POST', path: '/api/v1/auth/sign-in', body })).statusCode).toBe(429)
  })
})

test.each([
  ['admin', 0],
  ['mailed link', 2],
])('a new password by %s leaves the guesses at the second factor: %s counters', async (by, left) => {
  const bucket = `second-factor:${account.id}`
  const row = { hits: 20, window_end: new Date(server.clock.nowMs + 60_000) }
  const values = [bucket, `${bucket}:device`].map((each) => ({ ...row, bucket: each }))
  await server.database.db.insertInto('rate_counters').values(values).execute()
  await resets[by]?.()
  const rows = await server.database.db.selectFrom('rate_counters').select('bucket').where('bucket', 'like', 'second-factor:%').execute()
  expect(rows).toHaveLength(left)
})

test('a try whose password could not be checked counts neither as a guess nor as a used proof', async () => {
  const owner = server.browser({ address: '192.0.2.50' })
  const users = server.database.db.updateTable('users').where('id', '=', account.id)
  const right = await passwordHasher('cheap').hash(testPassword)
  const setHash = (password_hash: string) => users.set({ password_hash }).execute()
  await setHash('not a hash')
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn(owner, testPassword)).statusCode).toBe(500)
  await setHash(right)
  for (let guess = 0; guess < 6; guess += 1) expect((await signIn(owner, 'Monsoon#77')).statusCode).toBe(401)
  const proof = solve(await signIn(owner, testPassword))
  await setHash('not a hash')
  expect((await signIn(owner, testPassword, proof)).statusCode).toBe(500)
  await setHash(right)
  expect((await signIn(owner, testPassword, proof)).statusCode).toBe(200)
})
