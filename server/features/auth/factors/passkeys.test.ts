// Passkeys through the API with a software authenticator: rejections of adding and of signing in, then both, and side effects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { authenticate, register, type Credential, type DeviceContext } from '#server/testing/authenticator.ts'
import { addTotp } from '#server/testing/factors.ts'

const minuteMs = 60_000
const origin = 'https://tezi.example'
const site = { origin, rpId: 'tezi.example' }

let server: TestApp
let user: { id: string; email: string }
let browser: Browser
beforeAll(async () => {
  server = await testApp({ publicOrigin: origin })
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser({ name: 'Asha' })
  browser = await signedIn(user.email)
})
afterAll(() => server.close())

async function signedIn(email: string): Promise<Browser> {
  const one = server.browser()
  await one.signIn(email)
  return one
}

const stateOf = async (one: Browser) => (await one.client.factors.state()).data
const keys = () => server.database.db.selectFrom('passkeys').selectAll().orderBy('created_at').execute()
const actions = async () =>
  (await server.database.db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute()).map((row) => row)
const start = async (one: Browser) => (await one.client.factors.startPasskey()).data.options as { challenge: string; rp: { id: string } }
const add = (one: Browser, response: { id: string }, name = 'Phone') => one.client.factors.addPasskey({ body: { name, response } })

/** Adds a passkey for the signed-in user. */
async function addPasskey(one: Browser): Promise<{ credential: Credential; recoveryCodes: string[] }> {
  const { challenge } = await start(one)
  const { credential, response } = register({ ...site, challenge })
  return { credential, recoveryCodes: (await add(one, response)).data.recoveryCodes }
}

interface Pending {
  /** Sign-in challenge. */
  readonly challenge: string
  /** The challenge to sign. */
  readonly toSign: string
  readonly visitor: Browser
}

async function beginSignIn(email = user.email): Promise<Pending> {
  const visitor = server.browser()
  const reply = await visitor.client.auth.signIn({ body: { email, password: testPassword } })
  const challenge = 'challenge' in reply.data ? reply.data.challenge : ''
  const options = (await visitor.client.factors.passkeyOptions({ body: { challenge } })).data.options as { challenge: string } | null
  return { challenge, toSign: options?.challenge ?? '', visitor }
}

const verifyPasskey = ({ visitor, challenge }: Pick<Pending, 'visitor' | 'challenge'>, passkey: { id: string }) =>
  visitor.client.auth.secondFactor({ body: { challenge, passkey } })
const signedWith = (credential: Credential, { toSign }: Pending, bent: Partial<DeviceContext> = {}) =>
  authenticate(credential, { ...site, challenge: toSign, ...bent })
const wrong = { status: 401, code: 'factors.codeWrong' }

describe('adding a passkey', () => {
  test('needs a session, with a password confirmed in the last 15 minutes', async () => {
    const visitor = server.browser()
    await expect(start(visitor)).rejects.toMatchObject({ status: 401 })
    await expect(add(visitor, { id: 'x' })).rejects.toMatchObject({ status: 401 })
    await expect(visitor.client.factors.removePasskey({ body: { id: 'x', password: testPassword } })).rejects.toMatchObject({ status: 401 })
    server.clock.nowMs += 16 * minuteMs
    await expect(start(browser)).rejects.toMatchObject({ status: 403, code: 'admin.confirmPassword' })
  })

  test('is rejected from a page of another site, whatever the device sends', async () => {
    const { challenge } = await start(browser)
    const { response } = register({ ...site, challenge })
    const added = await browser.send({
      method: 'POST',
      path: '/api/v1/user/second-factor/passkeys',
      body: { name: 'Phone', response },
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect([added.statusCode, await keys()]).toEqual([403, []])
  })

  test('is not offered if the site has no public address', async () => {
    const plain = await testApp()
    const { email } = await plain.addUser()
    const one = plain.browser()
    await one.signIn(email)
    await expect(one.client.factors.startPasskey()).rejects.toMatchObject({ status: 503, code: 'factors.passkeysOff' })
    await expect(add(one, { id: 'x' })).rejects.toMatchObject({ status: 503 })
    await plain.close()
  })

  test.each<[string, Partial<DeviceContext>]>([
    ['another origin', { origin: 'https://tezi.example.evil.example' }],
    ['plain http', { origin: 'http://tezi.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
  ])('made for %s is rejected, and its setup is consumed', async (_, bent) => {
    const { challenge } = await start(browser)
    await expect(add(browser, register({ ...site, challenge, ...bent }).response)).rejects.toMatchObject({
      status: 400,
      code: 'factors.passkeyRejected',
      fields: { response: 'This passkey was not accepted. Try again.' },
    })
    await expect(add(browser, register({ ...site, challenge }).response)).rejects.toMatchObject({ code: 'factors.setupEnded' })
    expect(await keys()).toEqual([])
    expect((await stateOf(browser)).passkeys).toEqual([])
  })

  test.each([{ id: 'x' }, { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: '%', attestationObject: '' } }])(
    'with an invalid response is rejected: %j',
    async (response) => {
      await start(browser)
      await expect(add(browser, response)).rejects.toMatchObject({ status: 400, code: 'factors.passkeyRejected' })
      expect(await keys()).toEqual([])
    },
  )

  test('needs an unused setup of this session, of the last 5 minutes', async () => {
    const foreign = await signedIn(user.email)
    const { challenge } = await start(foreign)
    const { response } = register({ ...site, challenge })
    await expect(add(browser, response)).rejects.toMatchObject({ status: 400, code: 'factors.setupEnded' })
    server.clock.nowMs += 5 * minuteMs
    await expect(add(foreign, response)).rejects.toMatchObject({ status: 400, code: 'factors.setupEnded' })
    const second = await start(browser)
    const made = register({ ...site, challenge: second.challenge }).response
    await add(browser, made)
    await expect(add(browser, made)).rejects.toMatchObject({ status: 400, code: 'factors.setupEnded' })
    expect(await keys()).toHaveLength(1)
  })

  test('with an id of another account is rejected, and changes neither', async () => {
    const other = await signedIn((await server.addUser()).email)
    const { challenge } = await start(browser)
    const { response } = register({ ...site, challenge })
    await add(browser, response)
    const [before] = await keys()
    // The same device response under the challenge of the other account.
    await start(other)
    await server.database.db.updateTable('passkey_registrations').set({ challenge }).execute()
    await expect(add(other, response)).rejects.toMatchObject({ status: 400, code: 'factors.passkeyRejected' })
    expect(await keys()).toEqual([before])
    expect(await stateOf(other)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  })

  test('is limited to ten', async () => {
    for (let count = 0; count < 10; count += 1) await addPasskey(browser)
    await expect(start(browser)).rejects.toMatchObject({ status: 409, message: 'You can add up to 10 passkeys. Remove one first.' })
    expect((await stateOf(browser)).passkeys).toHaveLength(10)
  })

  test('is limited to ten also for setups started at nine', async () => {
    for (let count = 0; count < 9; count += 1) await addPasskey(browser)
    const other = await signedIn(user.email)
    const [first, second] = [await start(browser), await start(other)]
    await add(browser, register({ ...site, challenge: first.challenge }).response)
    await expect(add(other, register({ ...site, challenge: second.challenge }).response)).rejects.toMatchObject({ status: 409 })
    expect(await keys()).toHaveLength(10)
  })

  test('returns recovery codes once, ends the other sessions with the first factor, is logged and reported by mail', async () => {
    const other = await signedIn(user.email)
    const { credential, recoveryCodes } = await addPasskey(browser)
    expect(recoveryCodes).toHaveLength(10)
    await expect(stateOf(other)).rejects.toMatchObject({ status: 401 })
    const createdAt = new Date(server.clock.nowMs).toISOString()
    expect(await stateOf(browser)).toMatchObject({
      passkeys: [{ id: credential.id, name: 'Phone', createdAt, lastUsedAt: null }],
      recoveryCodesLeft: 10,
      hasPasskeys: true,
    })
    expect(await keys()).toMatchObject([{ user_id: user.id, counter: '0', transports: ['internal'] }])
    expect((await addPasskey(browser)).recoveryCodes).toEqual([])
    expect((await actions()).filter(({ action }) => action === 'second-factor-added')).toMatchObject([
      { details: { factor: 'passkey', sessionsEnded: 1 } },
      { details: { factor: 'passkey', sessionsEnded: 0 } },
    ])
    await expect.poll(() => server.outbox.mails.map(({ subject }) => subject)).toEqual(['Tezi: passkey added', 'Tezi: passkey added'])
  })

  test('gives the session a new cookie, and so does removing it', async () => {
    const cookies: unknown[] = []
    const note = () => cookies.push(browser.cookies.get('__Host-tezi_session'))
    note()
    const { credential } = await addPasskey(browser)
    note()
    await browser.client.factors.removePasskey({ body: { id: credential.id, password: testPassword } })
    note()
    expect(new Set(cookies).size).toBe(3)
    server.clock.nowMs += 15_000
    expect(await stateOf(browser)).toMatchObject({ passkeys: [] })
  })

  test('sends the device the list of existing passkeys', async () => {
    const { credential } = await addPasskey(browser)
    expect(await start(browser)).toMatchObject({ rp: { id: 'tezi.example', name: 'Tezi' }, excludeCredentials: [{ id: credential.id }] })
  })
})

describe('signing in with a passkey', () => {
  let credential: Credential
  beforeEach(async () => {
    credential = (await addPasskey(browser)).credential
  })

  test.each<[string, Partial<DeviceContext>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'A'.repeat(43) }],
    ['an unchanged counter', { counter: 5 }],
    ['a decreased counter', { counter: 4 }],
  ])('is rejected with %s, and the passkey is not changed', async (_, bent) => {
    await server.database.db.updateTable('passkeys').set({ counter: 5 }).execute()
    const before = await keys()
    const pending = await beginSignIn()
    await expect(verifyPasskey(pending, signedWith(credential, pending, { counter: 6, ...bent }))).rejects.toMatchObject(wrong)
    expect(await keys()).toEqual(before)
    expect((await actions()).at(-1)).toMatchObject({ action: 'sign-in-failed', details: { reason: 'second factor' } })
  })

  test('is rejected with a signature of another key, and with a changed one', async () => {
    const pending = await beginSignIn()
    const stranger = register({ ...site, challenge: 'A'.repeat(43) }).credential
    await expect(verifyPasskey(pending, signedWith({ ...stranger, id: credential.id }, pending))).rejects.toMatchObject(wrong)
    const right = signedWith(credential, pending)
    const { signature } = right.response as unknown as { signature: string }
    const changed = Buffer.from(signature, 'base64url')
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    const bent = { ...right, response: { ...right.response, signature: changed.toString('base64url') } }
    await expect(verifyPasskey(pending, bent)).rejects.toMatchObject(wrong)
  })

  test("is rejected with an unknown passkey, another account's, and a removed one", async () => {
    const unknown = register({ ...site, challenge: 'A'.repeat(43) }).credential
    const pending = await beginSignIn()
    await expect(verifyPasskey(pending, signedWith(unknown, pending))).rejects.toMatchObject(wrong)
    const other = await server.addUser()
    const foreign = (await addPasskey(await signedIn(other.email))).credential
    await expect(verifyPasskey(pending, signedWith(foreign, pending))).rejects.toMatchObject(wrong)
    // Nor does the user's own passkey open the other account.
    const theirs = await beginSignIn(other.email)
    await expect(verifyPasskey(theirs, signedWith(credential, theirs))).rejects.toMatchObject(wrong)
    await addPasskey(browser)
    await browser.client.factors.removePasskey({ body: { id: credential.id, password: testPassword } })
    await expect(verifyPasskey(pending, signedWith(credential, pending))).rejects.toMatchObject(wrong)
  })

  test('needs an open challenge: not a used one, not one of another sign-in, none after 5 minutes', async () => {
    const visitor = server.browser()
    await expect(verifyPasskey({ visitor, challenge: 'A'.repeat(43) }, { id: credential.id })).rejects.toMatchObject({
      status: 401,
      code: 'factors.challengeEnded',
    })
    const first = await beginSignIn()
    const response = signedWith(credential, first)
    expect(await verifyPasskey(first, response)).toMatchObject({ success: true })
    await expect(verifyPasskey(first, response)).rejects.toMatchObject({ code: 'factors.challengeEnded' })
    // A captured signature opens no other sign-in, even if the counter would allow it.
    await server.database.db.updateTable('passkeys').set({ counter: 0 }).execute()
    const second = await beginSignIn()
    await expect(verifyPasskey(second, response)).rejects.toMatchObject(wrong)
    server.clock.nowMs += 5 * minuteMs
    await expect(verifyPasskey(second, signedWith(credential, second))).rejects.toMatchObject({ code: 'factors.challengeEnded' })
    await expect(second.visitor.client.factors.passkeyOptions({ body: { challenge: second.challenge } })).rejects.toMatchObject({
      status: 401,
      code: 'factors.challengeEnded',
    })
  })

  test('needs options first, and the newest ones', async () => {
    const visitor = server.browser()
    const reply = await visitor.client.auth.signIn({ body: { email: user.email, password: testPassword } })
    const challenge = 'challenge' in reply.data ? reply.data.challenge : ''
    const early = authenticate(credential, { ...site, challenge: 'A'.repeat(43) })
    await expect(verifyPasskey({ visitor, challenge }, early)).rejects.toMatchObject({ code: 'factors.challengeEnded' })
    const pending = await beginSignIn()
    await pending.visitor.client.factors.passkeyOptions({ body: { challenge: pending.challenge } })
    await expect(verifyPasskey(pending, signedWith(credential, pending))).rejects.toMatchObject(wrong)
  })

  test('ends after five attempts, even with the right passkey', async () => {
    const pending = await beginSignIn()
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(verifyPasskey(pending, signedWith(credential, pending, { origin: 'https://evil.example' }))).rejects.toMatchObject(wrong)
    await expect(verifyPasskey(pending, signedWith(credential, pending))).rejects.toMatchObject({ code: 'factors.challengeEnded' })
  })

  test('is not offered to an account with an app only', async () => {
    const other = await server.addUser()
    await addTotp(server, await signedIn(other.email))
    expect((await beginSignIn(other.email)).toSign).toBe('')
  })

  test('opens a session, updates the counter, and records the use', async () => {
    server.clock.nowMs += minuteMs
    const pending = await beginSignIn()
    const reply = await verifyPasskey(pending, signedWith(credential, pending, { counter: 41 }))
    pending.visitor.sessionToken = 'sessionToken' in reply.data ? reply.data.sessionToken : ''
    expect((await pending.visitor.client.users.me())._id).toBe(user.id)
    expect(await keys()).toMatchObject([{ counter: '41', last_used_at: new Date(server.clock.nowMs) }])
    expect((await stateOf(pending.visitor)).passkeys).toMatchObject([{ lastUsedAt: new Date(server.clock.nowMs).toISOString() }])
    expect((await actions()).at(-1)).toMatchObject({ action: 'sign-in', details: { factor: 'passkey' } })
  })

  test('works repeatedly with a device without a counter', async () => {
    for (let time = 0; time < 2; time += 1) {
      const pending = await beginSignIn()
      expect(await verifyPasskey(pending, signedWith(credential, pending, { counter: 0 }))).toMatchObject({ success: true })
    }
  })

  test('opens one session for two concurrent responses to one challenge', async () => {
    const pending = await beginSignIn()
    const responses = [signedWith(credential, pending), signedWith(credential, pending)]
    const outcomes = await Promise.allSettled(responses.map((response) => verifyPasskey(pending, response)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('removing a passkey', () => {
  test('needs the password and an existing passkey of the account', async () => {
    const { credential } = await addPasskey(browser)
    const remove = (one: Browser, id: string, password: string) => one.client.factors.removePasskey({ body: { id, password } })
    for (const password of ['', 'wrong-one']) await expect(remove(browser, credential.id, password)).rejects.toMatchObject({ status: 400 })
    await expect(remove(browser, 'unknown', testPassword)).rejects.toMatchObject({ status: 404 })
    const other = await signedIn((await server.addUser()).email)
    await expect(remove(other, credential.id, testPassword)).rejects.toMatchObject({ status: 404 })
    expect(await keys()).toHaveLength(1)
    for (let guess = 0; guess < 7; guess += 1)
      await expect(remove(browser, credential.id, 'wrong-one')).rejects.toMatchObject({ status: 400 })
    await expect(remove(browser, credential.id, testPassword)).rejects.toMatchObject({ status: 429 })
  })

  test('with the last one ends the recovery codes, and the password alone opens the account', async () => {
    const first = (await addPasskey(browser)).credential
    const second = (await addPasskey(browser)).credential
    await browser.client.factors.removePasskey({ body: { id: first.id, password: testPassword } })
    expect(await stateOf(browser)).toMatchObject({ passkeys: [{ id: second.id }], recoveryCodesLeft: 10 })
    await browser.client.factors.removePasskey({ body: { id: second.id, password: testPassword } })
    expect(await stateOf(browser)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    expect((await server.browser().client.auth.signIn({ body: { email: user.email, password: testPassword } })).success).toBe(true)
    expect((await actions()).filter(({ action }) => action === 'second-factor-removed')).toHaveLength(2)
  })
})
