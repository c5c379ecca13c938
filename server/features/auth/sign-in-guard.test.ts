// Guessing limits of sign-in: strangers wait or solve a challenge, known devices and addresses are unaffected, and no address is blocked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { solve } from '#server/testing/solve.ts'
import type { Proof } from '#shared/http/proof.ts'

const wrong = 'Monsoon#77'
const minuteMs = 60_000

let server: TestApp
let email: string
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  email = (await server.addUser()).email
})
afterAll(() => server.close())

interface Form {
  readonly email?: string
  readonly password?: string
  readonly proof?: Proof
}
const post = (browser: Browser, form: Form) =>
  browser.send({ method: 'POST', path: '/api/v1/auth/sign-in', body: { email, password: wrong, ...form } })
const from = (address: string, form: Form = {}) => post(server.browser({ address }), form)
const retryAfter = (response: { headers: Record<string, unknown> }) => Number(response.headers['retry-after'])

/** Guesses at the account from four addresses, without a pause; returns the statuses. */
async function guess(count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await from(`198.51.100.${index % 4}`)).statusCode)
  return statuses
}

describe('guessing at one account', () => {
  test('gets 429 with a wait that grows with each admitted guess to 15 minutes, and with a challenge', async () => {
    expect(await guess(6)).toEqual([401, 401, 401, 401, 401, 401])
    const waits: number[] = []
    for (let index = 0; index < 7; index += 1) {
      const response = await from('198.51.100.1', { password: testPassword })
      expect(response.statusCode).toBe(429)
      expect(response.json()).toMatchObject({
        message: 'Too many failed attempts. Please try again later.',
        code: 'auth.tooManySignIns',
        challenge: { rounds: 10, bits: 2 },
      })
      waits.push(retryAfter(response))
      server.clock.nowMs += retryAfter(response) * 1000
      expect((await from('198.51.100.1')).statusCode).toBe(401)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900])
    expect((await from('198.51.100.1')).statusCode).toBe(429)
  })

  test('rejected tries do not extend the wait of the owner', async () => {
    await guess(6)
    for (let second = 0; second < 29; second += 1) {
      server.clock.nowMs += 1000
      expect((await from('198.51.100.1')).statusCode).toBe(429)
    }
    server.clock.nowMs += 1000
    expect((await from('192.0.2.50', { password: testPassword })).statusCode).toBe(200)
  })

  test('an unknown email counts and gets the same response', async () => {
    const statusesOf = async (one: string) => {
      const responses = []
      for (let index = 0; index < 8; index += 1) responses.push(await from('192.0.2.9', { email: one }))
      return responses.map((response) => [response.statusCode, response.headers['retry-after']])
    }
    const unknown = await statusesOf('nobody@example.in')
    await server.reset()
    email = (await server.addUser()).email
    expect(await statusesOf(email)).toEqual(unknown)
  })

  test('32 guesses from four addresses lock the owner out neither at a known address nor on a known device', async () => {
    const [home, phone] = [server.browser({ address: '192.0.2.1' }), server.browser({ address: '192.0.2.1' })]
    await home.signIn(email, testPassword)
    await phone.signIn(email, testPassword)
    expect((await guess(32)).filter((status) => status === 401)).toHaveLength(6)
    // Known address: without any cookie.
    expect((await from('192.0.2.1', { password: testPassword })).statusCode).toBe(200)
    // Known device: at a new address of a mobile network.
    const moved = server.browser({ address: '192.0.2.77' })
    moved.cookies.set('tezi_device', phone.cookies.get('tezi_device') ?? '')
    expect((await post(moved, { password: testPassword })).statusCode).toBe(200)
  })

  test('the owner at a new address on a new device gets in with one solved challenge', async () => {
    await guess(32)
    const refused = await from('192.0.2.50', { password: testPassword })
    expect(refused.statusCode).toBe(429)
    const proof = solve(refused)
    expect((await from('192.0.2.50', { password: testPassword, proof })).statusCode).toBe(200)
  })

  test('a stranger who uses up the free tries and the proofs of an address leaves the owner a challenge', async () => {
    await guess(6)
    for (let index = 0; index < 4; index += 1) {
      const refused = await from('198.51.100.1')
      expect((await from('198.51.100.1', { proof: solve(refused) })).statusCode).toBe(401)
    }
    // Fifteen minutes of both lanes, at the stranger's own address only.
    expect((await from('198.51.100.1')).json<{ challenge?: unknown }>().challenge).toBeUndefined()
    const refused = await from('192.0.2.50', { password: testPassword })
    expect(refused.statusCode).toBe(429)
    expect((await from('192.0.2.50', { password: testPassword, proof: solve(refused) })).statusCode).toBe(200)
  })

  test('strangers with many addresses get 60 proven guesses in an hour, and harder challenges from the twentieth on', async () => {
    await guess(6)
    const bits: number[] = []
    for (let index = 0; index < 60; index += 1) {
      const address = `198.51.101.${index}`
      const refused = await from(address)
      bits.push(refused.json<{ challenge: { bits: number } }>().challenge.bits)
      expect((await from(address, { proof: solve(refused) })).statusCode).toBe(401)
    }
    expect([bits[0], bits[19], bits[20], bits[40]]).toEqual([2, 2, 3, 4])
    expect((await from('198.51.102.1')).json<{ challenge?: unknown }>().challenge).toBeUndefined()
  })

  test('an attacker who solves every challenge gets fewer than 30 guesses in an hour', async () => {
    let guesses = 0
    for (let second = 0; second < 3600; second += 15) {
      const response = await from('198.51.100.7')
      if (response.statusCode === 401) guesses += 1
      else if (response.json<{ challenge?: unknown }>().challenge !== undefined)
        guesses += Number((await from('198.51.100.7', { proof: solve(response) })).statusCode === 401)
      server.clock.nowMs += 15_000
    }
    expect(guesses).toBeGreaterThan(9)
    expect(guesses).toBeLessThanOrEqual(30)
  })

  test('an attacker who waits as required gets fewer than 30 guesses in an hour', async () => {
    const begin = server.clock.nowMs
    let guesses = 0
    while (server.clock.nowMs - begin < 60 * minuteMs) {
      const response = await from('198.51.100.7')
      if (response.statusCode === 401) guesses += 1
      else server.clock.nowMs += retryAfter(response) * 1000
    }
    expect(guesses).toBeLessThanOrEqual(13)
  })

  test('at a known address and on a known device has its own limit, and then a challenge helps', async () => {
    const home = server.browser({ address: '192.0.2.1' })
    await home.signIn(email, testPassword)
    for (const browser of [home, server.browser({ address: '192.0.2.1' })]) {
      const statuses: number[] = []
      for (let index = 0; index < 9; index += 1) statuses.push((await post(browser, {})).statusCode)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 429])
    }
    const refused = await post(home, { password: testPassword })
    expect(refused.statusCode).toBe(429)
    expect((await post(home, { password: testPassword, proof: solve(refused) })).statusCode).toBe(200)
  })

  test('a success gives back only its own attempt', async () => {
    for (let index = 0; index < 5; index += 1) expect((await from('198.51.100.1')).statusCode).toBe(401)
    expect((await from('198.51.100.1', { password: testPassword })).statusCode).toBe(200)
    expect((await from('198.51.100.2')).statusCode).toBe(401)
    expect((await from('198.51.100.2')).statusCode).toBe(429)
  })
})

describe('one address of many users', () => {
  const nat = '203.0.113.99'
  /** Failed sign-ins of one attacker behind it, with unknown emails. */
  const spray = async (count: number) => {
    for (let index = 0; index < count; index += 1) await from(nat, { email: `victim-${index}@example.in` })
  }

  test('with fifteen failed sign-ins accepts users who signed in there before, and others with a solved challenge', async () => {
    const neighbour = (await server.addUser()).email
    await server.browser({ address: nat }).signIn(neighbour, testPassword)
    await spray(16)
    expect((await from(nat, { email: neighbour, password: testPassword })).statusCode).toBe(200)
    const refused = await from(nat, { password: testPassword })
    expect(refused.statusCode).toBe(429)
    expect((await from(nat, { password: testPassword, proof: solve(refused) })).statusCode).toBe(200)
    // Now it is a known address of this account.
    expect((await from(nat, { password: testPassword })).statusCode).toBe(200)
  })

  test('many failed attempts with solved challenges make the next ones harder, up to four times', async () => {
    await spray(16)
    const bits = []
    for (let index = 0; index < 62; index += 1) {
      const one = `other-${index}@example.in`
      const refused = await from(nat, { email: one })
      bits.push(refused.json<{ challenge: { bits: number } }>().challenge.bits)
      expect((await from(nat, { email: one, proof: solve(refused) })).statusCode).toBe(401)
    }
    expect([bits[0], bits[19], bits[20], bits[40], bits[61]]).toEqual([2, 2, 3, 4, 4])
  })

  test('the limits of sign-up and of mail links admit one call for a solved challenge', async () => {
    const browser = server.browser({ address: nat })
    const signUp = (index: number, proof?: Proof) =>
      browser.send({
        method: 'POST',
        path: '/api/v1/auth/sign-up',
        body: {
          name: 'Asha',
          email: `new-${index}@example.in`,
          phone: '9876543210',
          password: testPassword,
          confirmPassword: testPassword,
          proof,
        },
      })
    for (let index = 0; index < 20; index += 1) expect((await signUp(index)).statusCode).toBe(201)
    const refused = await signUp(20)
    expect([refused.statusCode, retryAfter(refused)]).toEqual([429, 15])
    expect((await signUp(21, solve(refused))).statusCode).toBe(429)
    expect((await signUp(20, solve(refused))).statusCode).toBe(201)
    const askForLink = (index: number, proof?: Proof) =>
      browser.send({ method: 'POST', path: '/api/v1/auth/password-link', body: { email: `new-${index}@example.in`, proof } })
    for (let index = 0; index < 10; index += 1) expect((await askForLink(index)).statusCode).toBe(200)
    const late = await askForLink(11)
    expect(late.statusCode).toBe(429)
    expect((await askForLink(11, solve(late))).statusCode).toBe(200)
  })

  test('wrong links of others do not block a valid one', async () => {
    const use = (token: string) =>
      server.browser({ address: nat }).send({
        method: 'POST',
        path: '/api/v1/auth/password-link/use',
        body: { token, newPassword: 'Monsoon-Rain-77', confirmPassword: 'Monsoon-Rain-77' },
      })
    await server.browser().client.passwords.askForLink({ body: { email } })
    await expect.poll(() => server.outbox.mails.length).toBe(1)
    const token = /token=([\w-]+)/.exec(server.outbox.mails[0]?.text ?? '')?.[1] ?? ''
    for (let index = 0; index < 21; index += 1) await use(`${'A'.repeat(40)}${String(index).padStart(3, '0')}`)
    expect((await use('B'.repeat(43))).statusCode).toBe(429)
    await guess(32)
    const used = await use(token)
    expect(used.statusCode).toBe(200)
    // The owner of the mailbox has a known device from then on.
    const owner = server.browser({ address: '192.0.2.61' })
    owner.cookies.set('tezi_device', used.cookies.find((cookie) => cookie.name === 'tezi_device')?.value ?? '')
    expect((await post(owner, { password: 'Monsoon-Rain-77' })).statusCode).toBe(200)
  })
})

describe('a solved challenge', () => {
  const solved = async () => {
    await guess(7)
    return solve(await from('192.0.2.50'))
  }

  test('admits one attempt, for its account and address, for five minutes', async () => {
    const proof = await solved()
    const other = (await server.addUser()).email
    for (let index = 0; index < 7; index += 1) await from('192.0.2.51', { email: other })
    expect((await from('192.0.2.51', { proof })).statusCode).toBe(429)
    expect((await from('192.0.2.50', { proof })).statusCode).toBe(401)
    expect((await from('192.0.2.50', { proof })).statusCode).toBe(429)
    const late = solve(await from('192.0.2.50'))
    server.clock.nowMs += 5 * minuteMs
    await guess(1)
    expect((await from('192.0.2.50', { proof: late })).statusCode).toBe(429)
  })

  test('is invalid if forged, wrong or made easier', async () => {
    const proof = await solved()
    const [payload = '', signature = ''] = proof.token.split('.')
    const easy = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"bits":2', '"bits":0')).toString('base64url')
    for (const one of [
      { ...proof, nonces: [] },
      { ...proof, nonces: proof.nonces.map(() => 0xffffffff) },
      { ...proof, token: `${easy}.${signature}` },
      { ...proof, token: payload },
      { ...proof, token: '' },
    ])
      expect((await from('192.0.2.50', { proof: one })).statusCode).toBe(429)
    expect((await from('192.0.2.50', { proof })).statusCode).toBe(401)
  })

  test('is verified quickly, and ten at once admit one attempt', async () => {
    const proof = await solved()
    const responses = await Promise.all(Array.from({ length: 10 }, () => from('192.0.2.50', { proof })))
    expect(responses.filter((response) => response.statusCode === 401)).toHaveLength(1)
  })
})

describe('the device cookie', () => {
  test('grants nothing, belongs to its account, and is ignored if forged or half a year old', async () => {
    const browser = server.browser({ address: '192.0.2.1' })
    await browser.signIn(email, testPassword)
    const cookie = browser.cookies.get('tezi_device') ?? ''
    const probe = async (value: string, form: Form = {}) => {
      const stranger = server.browser({ address: '192.0.2.70' })
      stranger.cookies.set('tezi_device', value)
      return (await post(stranger, { password: testPassword, ...form })).statusCode
    }
    const only = server.browser({ address: '192.0.2.70' })
    only.cookies.set('tezi_device', cookie)
    expect((await only.send({ method: 'GET', path: '/api/v1/user' })).statusCode).toBe(401)
    const other = (await server.addUser()).email
    for (let index = 0; index < 7; index += 1) await from(`198.51.100.${index}`, { email: other })
    await guess(7)
    expect(await probe(cookie, { email: other })).toBe(429)
    expect(await probe(cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A'))).toBe(429)
    expect(await probe(cookie.replace(/\d{10}/, '9999999999'))).toBe(429)
    expect(await probe('')).toBe(429)
    expect(await probe(`junk~${cookie}`)).toBe(200)
    server.clock.nowMs += 180 * 24 * 60 * minuteMs
    await guess(7)
    const old = server.browser({ address: '192.0.2.71' })
    old.cookies.set('tezi_device', cookie)
    expect((await post(old, { password: testPassword })).statusCode).toBe(429)
  })

  test('holds five accounts of one browser and drops the oldest; erasing an account removes it', async () => {
    const browser = server.browser({ address: '192.0.2.1' })
    const emails = [email]
    for (let index = 0; index < 5; index += 1) emails.push((await server.addUser()).email)
    for (const one of emails) await browser.signIn(one, testPassword)
    expect((browser.cookies.get('tezi_device') ?? '').split('~')).toHaveLength(5)
    await browser.client.privacy.eraseAccount({ body: { password: testPassword } })
    expect(browser.cookies.has('tezi_device')).toBe(false)
  })
})
