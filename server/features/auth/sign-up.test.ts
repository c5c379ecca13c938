// Sign-up through the API: every validation error word for word, then success, then what is stored.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

const good = { name: 'Ravi Kumar', email: 'ravi@example.in', phone: '9876543210', password: testPassword, confirmPassword: testPassword }
const signUp = (body: unknown, address?: string) =>
  server.browser(address === undefined ? {} : { address }).send({ method: 'POST', path: '/api/v1/auth/sign-up', body })

test.each([
  ['no email', { ...good, email: '' }, 'email', 'Please fill in all required fields'],
  ['no password', { ...good, password: '' }, 'password', 'Please fill in all required fields'],
  ['nothing at all', {}, 'email', 'Please fill in all required fields'],
  ['an email without a host', { ...good, email: 'ravi@' }, 'email', 'Please enter a valid email address'],
  ['an email with a script', { ...good, email: '<script>@example.in' }, 'email', 'Please enter a valid email address'],
  ['an email with a look-alike letter', { ...good, email: 'rаvi@example.in' }, 'email', 'Please enter a valid email address'],
  ['an email of 255 characters', { ...good, email: `${'r'.repeat(244)}@example.in` }, 'email', 'Please enter a valid email address'],
  ['no name', { ...good, name: ' ' }, 'name', 'Please fill in all fields'],
  ['no phone', { ...good, phone: '' }, 'phone', 'Please fill in all fields'],
  ['no confirmation', { ...good, confirmPassword: '' }, 'confirmPassword', 'Please fill in all fields'],
  ['a short phone', { ...good, phone: '987654321' }, 'phone', 'Phone number must be 10 digits'],
  ['a phone with letters', { ...good, phone: '98765432ab' }, 'phone', 'Phone number must be 10 digits'],
  ['another confirmation', { ...good, confirmPassword: 'Kesar-Chai-43' }, 'confirmPassword', 'Passwords do not match'],
  ['five characters', { ...good, password: 'k#9Zq', confirmPassword: 'k#9Zq' }, 'password', 'Password must be at least 6 characters long'],
  [
    'a common password',
    { ...good, password: 'Password123', confirmPassword: 'Password123' },
    'password',
    'This password is too common. Please choose another one',
  ],
  [
    'our own word',
    { ...good, password: 'Tezi@2026', confirmPassword: 'Tezi@2026' },
    'password',
    'This password is too common. Please choose another one',
  ],
  [
    'the own email',
    { ...good, password: good.email, confirmPassword: good.email },
    'password',
    'This password is too common. Please choose another one',
  ],
  ['a name with a bidi override', { ...good, name: 'Ravi\u202eKumar' }, 'name', 'Please enter a name of at most 100 ordinary characters'],
  ['a name of 101 characters', { ...good, name: 'र'.repeat(101) }, 'name', 'Please enter a name of at most 100 ordinary characters'],
])('%s is rejected on its field', async (_, body, field, message) => {
  const response = await signUp(body)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({
    success: false,
    message,
    error: message,
    code: expect.stringMatching(/^auth\.\w+$/),
    statuscode: 400,
    fields: { [field]: message },
    fieldCodes: { [field]: { code: response.json<{ code: string }>().code } },
  })
})

test.each([{ email: {} }, { password: [] }, { email: true }, { name: null }, { phone: 9876543210 }])(
  '%j instead of a string is rejected',
  async (odd) => {
    expect((await signUp({ ...good, ...odd })).statusCode).toBe(400)
  },
)

test('a rejected form creates no account', async () => {
  expect(await server.database.db.selectFrom('users').selectAll().execute()).toEqual([])
})

test('an account starts as a free user, whatever else is sent', async () => {
  const response = await signUp({
    ...good,
    email: ' Ravi@Example.IN ',
    _id: 'x',
    role: 'admin',
    isPremium: true,
    status: 'paid',
    premiumEndDate: '2099-01-01',
    subscriptionMonths: 120,
  })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({ success: true, message: 'Account created successfully' })
  expect(response.cookies).toEqual([])
  const [row, ...others] = await server.database.db.selectFrom('users').selectAll().execute()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    name: 'Ravi Kumar',
    email: 'ravi@example.in',
    role: 'user',
    status: null,
    premium_end: null,
    subscription_months: 0,
  })
  expect(row?.password_hash).toMatch(/^\$argon2id\$/)
})

test('the same email in another spelling is taken', async () => {
  const response = await signUp({ ...good, email: 'RAVI@EXAMPLE.IN' })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({
    code: 'auth.emailWaits',
    message: expect.stringMatching(/^An account with this email already exists/),
  })
})

test('twenty concurrent sign-ups with one email create one account', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      signUp({ ...good, email: index % 2 === 0 ? 'twin@example.in' : 'TWIN@example.in' }, '198.51.100.1'),
    ),
  )
  expect(responses.filter((response) => response.statusCode === 201)).toHaveLength(1)
  expect(responses.filter((response) => response.statusCode === 409)).toHaveLength(19)
  expect(await server.database.db.selectFrom('users').select('id').where('email', '=', 'twin@example.in').execute()).toHaveLength(1)
})

test('a password of 97 characters in several scripts counts as a whole', async () => {
  const password = [...'कखगघ€😀é-'.repeat(14)].slice(0, 97).join('')
  expect((await signUp({ ...good, email: 'long@example.in', password, confirmPassword: password })).statusCode).toBe(201)
  const browser = server.browser()
  await expect(browser.signIn('long@example.in', [...password].slice(0, -1).join(''))).rejects.toMatchObject({ status: 401 })
  await browser.signIn('long@example.in', password)
  expect((await browser.client.users.me()).email).toBe('long@example.in')
})

test('a flood of sign-ups from one address gets 429 with Retry-After, others are unaffected', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 21; index += 1)
    statuses.push((await signUp({ ...good, email: 'ravi@example.in' }, '198.51.100.9')).statusCode)
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 409))
  expect(statuses[20]).toBe(429)
  const refused = await signUp({ ...good, email: 'new@example.in' }, '198.51.100.9')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.json()).toMatchObject({ message: 'Too many new accounts from this address. Please try again later.' })
  expect((await signUp({ ...good, email: 'new@example.in' }, '198.51.100.10')).statusCode).toBe(201)
})
