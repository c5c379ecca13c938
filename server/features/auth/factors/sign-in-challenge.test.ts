// Signing in with a second factor, through the API: no session before the code, single-use codes, limited guesses.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { addTotp, codeOf } from '#server/testing/factors.ts'

const stepMs = 30_000
const wrong = 'This code is wrong or has been used. Enter the newest code of your app.'
const ended = { statusCode: 401, code: 'factors.challengeEnded', message: 'This sign-in has expired. Enter your password again.' }

let server: TestApp
let user: { id: string; email: string }
let secret: string
let recoveryCodes: string[]

beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser()
  const browser = server.browser()
  await browser.signIn(user.email)
  const made = await addTotp(server, browser)
  secret = made.secret
  recoveryCodes = made.recoveryCodes
  // The code of the setup is consumed.
  server.clock.nowMs += stepMs
})
afterAll(() => server.close())

const post = (browser: Browser, path: string, body: unknown) => browser.send({ method: 'POST', path: `/api/v1${path}`, body })
const now = () => codeOf(secret, server.clock.nowMs)

async function challengeFor(browser: Browser, email = user.email): Promise<string> {
  const response = await post(browser, '/auth/sign-in', { email, password: testPassword })
  return response.json<{ data: { challenge: string } }>().data.challenge
}

async function sendCode(browser: Browser, challenge: string, code: string) {
  const response = await post(browser, '/auth/second-factor', { challenge, code })
  return { ...response.json<object>(), statusCode: response.statusCode }
}

const aliveSessions = async () =>
  (await server.database.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).where('ended_at', 'is', null).execute())
    .length

describe('the password alone', () => {
  test('returns a challenge and opens no session', async () => {
    const browser = server.browser()
    const before = await aliveSessions()
    const response = await post(browser, '/auth/sign-in', { email: user.email, password: testPassword })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      success: false,
      message: 'Enter your code',
      data: { challenge: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(response.cookies).toEqual([])
    expect(await aliveSessions()).toBe(before)
  })

  test('if wrong, gets the same response as for any account', async () => {
    const response = await post(server.browser(), '/auth/sign-in', { email: user.email, password: 'wrong-one' })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ message: 'Invalid email or password' })
  })
})

describe('the code', () => {
  test.each(['', '12345', 'abcdef'])('%j is rejected as malformed and is not counted as an attempt', async (code) => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    expect(await sendCode(browser, challenge, code)).toMatchObject({ statusCode: 400, fields: { code: expect.any(String) } })
    expect(await server.database.db.selectFrom('sign_in_challenges').select('attempts').execute()).toEqual([{ attempts: 0 }])
  })

  test.each(['', 'x', 'A'.repeat(43)])('for the challenge %j it opens nothing', async (challenge) => {
    expect(await sendCode(server.browser(), challenge, now())).toMatchObject(ended)
  })

  test('of another account is rejected and logged', async () => {
    const browser = server.browser()
    expect(await sendCode(browser, await challengeFor(browser), '000000')).toMatchObject({
      statusCode: 401,
      code: 'factors.codeWrong',
      message: wrong,
    })
    const row = await server.database.db
      .selectFrom('audit_log')
      .select(['actor', 'target', 'details'])
      .where('action', '=', 'sign-in-failed')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ actor: 'nobody', target: user.email, details: { reason: 'second factor' } })
  })

  test('two steps old or early is rejected, one step is accepted', async () => {
    const browser = server.browser()
    for (const drift of [-2, 2, -1]) {
      server.clock.nowMs += 3 * stepMs
      const code = codeOf(secret, server.clock.nowMs + drift * stepMs)
      const { statusCode } = await sendCode(browser, await challengeFor(browser), code)
      expect(statusCode).toBe(drift === -1 ? 200 : 401)
    }
  })

  test('works once: neither it nor an older one is accepted again, even concurrently', async () => {
    const browsers = [server.browser(), server.browser({ address: '192.0.2.1' }), server.browser({ address: '192.0.2.2' })]
    const challenges = await Promise.all(browsers.map((browser) => challengeFor(browser)))
    const statuses = await Promise.all(
      browsers.map(async (browser, at) => (await sendCode(browser, challenges[at] ?? '', now())).statusCode),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const browser = server.browser()
    for (const code of [now(), codeOf(secret, server.clock.nowMs - stepMs)])
      expect(await sendCode(browser, await challengeFor(browser), code)).toMatchObject({ statusCode: 401, message: wrong })
    server.clock.nowMs += stepMs
    expect((await sendCode(browser, await challengeFor(browser), now())).statusCode).toBe(200)
  })

  test('opens the session as a sign-in does, and the log has the factor', async () => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    const response = await browser.client.auth.secondFactor({ body: { challenge, code: ` ${now().slice(0, 3)} ${now().slice(3)} ` } })
    expect(response).toMatchObject({ success: true, message: 'Login successful', data: { user: { email: user.email } } })
    browser.sessionToken = response.data.sessionToken
    expect((await browser.client.users.me()).email).toBe(user.email)
    const rows = await server.database.db.selectFrom('audit_log').select('details').where('action', '=', 'sign-in').execute()
    expect(rows).toEqual([{ details: { factor: 'authenticator app' } }])
    // A challenge opens one session.
    server.clock.nowMs += stepMs
    expect(await sendCode(browser, challenge, now())).toMatchObject(ended)
  })

  test('ends the previous session of the browser', async () => {
    const browser = server.browser()
    await browser.signIn(user.email)
    const before = await aliveSessions()
    await sendCode(browser, await challengeFor(browser), now())
    expect(await aliveSessions()).toBe(before)
  })
})

describe('a challenge', () => {
  test('expires after five minutes', async () => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    server.clock.nowMs += 5 * 60_000
    expect(await sendCode(browser, challenge, now())).toMatchObject(ended)
  })

  test('ends after five attempts', async () => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await sendCode(browser, challenge, '000000')).toMatchObject({ message: wrong })
    expect(await sendCode(browser, challenge, now())).toMatchObject(ended)
  })

  test.each(['changed', 'reset by an admin', 'reset by a link'])('ends when the password is %s', async (how) => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    const newPassword = 'Monsoon-Rain-77'
    if (how === 'changed') {
      const own = server.browser({ address: '192.0.2.1' })
      await own.signIn(user.email)
      await own.client.passwords.changePassword({ body: { currentPassword: testPassword, newPassword, confirmPassword: newPassword } })
    } else if (how === 'reset by an admin') {
      const admin = server.browser({ address: '192.0.2.1' })
      await admin.signIn((await server.addUser({ role: 'admin' })).email)
      await admin.client.passwords.resetPassword({ body: { email: user.email, newPassword } })
    } else {
      await server.browser().client.passwords.askForLink({ body: { email: user.email } })
      const link = () => server.outbox.mails.find(({ text }) => text.includes('#token='))
      await expect.poll(link).toBeDefined()
      const token = /#token=([\w-]{43})$/m.exec(link()?.text ?? '')?.[1] ?? ''
      await server.browser().client.passwords.useLink({ body: { token, newPassword, confirmPassword: newPassword } })
    }
    expect(await sendCode(browser, challenge, now())).toMatchObject(ended)
  })

  test('of an erased account ends', async () => {
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    const own = server.browser({ address: '192.0.2.1' })
    await own.signIn(user.email)
    await own.client.privacy.eraseAccount({ body: { password: testPassword } })
    expect(await sendCode(browser, challenge, now())).toMatchObject(ended)
  })
})

describe('guesses', () => {
  test('are limited per account over all challenges and addresses; a recovery code still works', async () => {
    let at = 0
    const guess = async (code: string) => {
      const browser = server.browser({ address: `192.0.2.${(at += 1)}` })
      return sendCode(browser, await challengeFor(browser), code)
    }
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await guess('000000')).toMatchObject({ statusCode: 401 })
    expect(await guess(now())).toMatchObject({ statusCode: 429, message: expect.stringContaining('use a recovery code') })
    expect(await guess(recoveryCodes[0] ?? '')).toMatchObject({ statusCode: 200 })
    expect(await guess(now())).toMatchObject({ statusCode: 429 })
  })
})

describe('a stranger with the password', () => {
  test('with further guesses uses up no session of the owner, and log entries are bounded', async () => {
    for (let round = 0; round < 41; round += 1) {
      const stranger = server.browser({ address: `192.0.2.${round}` })
      const challenge = await challengeFor(stranger)
      for (let attempt = 0; attempt < 5; attempt += 1) await sendCode(stranger, challenge, 'abcdef-ghjkmn-pqrstu-vwxyz2')
    }
    const owner = server.browser()
    expect(await sendCode(owner, await challengeFor(owner), now())).toMatchObject({ statusCode: 200 })
    const { count } = await server.database.db
      .selectFrom('audit_log')
      .select((builder) => builder.fn.countAll<string>().as('count'))
      .where('action', '=', 'sign-in-failed')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(50)
  })

  test('leaves at most twenty open challenges, and the newest one is open', async () => {
    for (let round = 0; round < 25; round += 1) await challengeFor(server.browser({ address: `192.0.2.${round}` }))
    const owner = server.browser()
    const challenge = await challengeFor(owner)
    expect(await server.database.db.selectFrom('sign_in_challenges').select('user_id').execute()).toHaveLength(20)
    expect(await sendCode(owner, challenge, now())).toMatchObject({ statusCode: 200 })
  })

  test('cannot lock out a device that the owner has signed in on', async () => {
    const own = server.browser()
    await sendCode(own, await challengeFor(own), now())
    server.clock.nowMs += stepMs
    const guess = async (address: string, code: string) => {
      const stranger = server.browser({ address })
      return sendCode(stranger, await challengeFor(stranger), code)
    }
    for (let attempt = 0; attempt < 21; attempt += 1) await guess(`192.0.2.${attempt}`, '000000')
    expect(await guess('192.0.2.99', now())).toMatchObject({ statusCode: 429 })
    expect(await sendCode(own, await challengeFor(own), now())).toMatchObject({ statusCode: 200 })
  })
})

describe('a recovery code', () => {
  test('of another account, an unknown one and a used one are rejected', async () => {
    const other = await server.signedIn()
    const foreign = (await addTotp(server, other)).recoveryCodes[0] ?? ''
    const [own = ''] = recoveryCodes
    const browser = server.browser({ address: '192.0.2.1' })
    for (const code of [foreign, 'abcdef-ghjkmn-pqrstu-vwxyz2'])
      expect(await sendCode(browser, await challengeFor(browser), code)).toMatchObject({ statusCode: 401, message: wrong })
    expect(await sendCode(browser, await challengeFor(browser), own)).toMatchObject({ statusCode: 200 })
    expect(await sendCode(browser, await challengeFor(browser), own)).toMatchObject({ statusCode: 401 })
  })

  test('works once, in any spelling, and reduces the remaining count', async () => {
    const [code = ''] = recoveryCodes
    const browser = server.browser()
    const challenge = await challengeFor(browser)
    const response = await browser.client.auth.secondFactor({ body: { challenge, code: code.toUpperCase().replaceAll('-', ' ') } })
    browser.sessionToken = response.data.sessionToken
    expect((await browser.client.factors.state()).data.recoveryCodesLeft).toBe(9)
    const rows = await server.database.db.selectFrom('audit_log').select('details').where('action', '=', 'sign-in').execute()
    expect(rows).toEqual([{ details: { factor: 'recovery code' } }])
  })
})

test('with another secret key app codes are rejected, the log says why, and recovery codes still work', async () => {
  await server.database.db
    .updateTable('totp_secrets')
    .set({ secret: Buffer.alloc(64) })
    .execute()
  const browser = server.browser()
  expect(await sendCode(browser, await challengeFor(browser), now())).toMatchObject({ statusCode: 503, code: 'factors.unavailable' })
  expect(server.logLines.join('')).toContain('encrypted with another SECRET_KEY')
  expect(await sendCode(browser, await challengeFor(browser), recoveryCodes[0] ?? '')).toMatchObject({ statusCode: 200 })
})
