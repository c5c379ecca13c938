// Hashing: the parameters, the same work for unknown accounts, and a bounded queue.
import { expect, test } from 'vitest'
import { decoyHash, passwordHasher, type PasswordHasher } from './password-hasher.ts'

const passwords = passwordHasher('cheap')
const signIn = (hasher: PasswordHasher, owner = '192.0.2.1', part = '') =>
  hasher.signIn({ owner, part }, (matches) => matches('x', undefined))

test('in production a hash is argon2id with 46 MiB, one pass and one lane, and belongs to one password', async () => {
  const standard = passwordHasher()
  const hash = await standard.hash('Kesar-Chai-42')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  expect(await standard.matches('Kesar-Chai-42', hash)).toBe(true)
  expect(await standard.matches('Kesar-Chai-43', hash)).toBe(false)
  expect(await standard.hash('Kesar-Chai-42')).not.toBe(hash)
})

test('differently composed Unicode letters are the same letters', async () => {
  const hash = await passwords.hash('caf\u00e9-1234')
  expect(await passwords.matches('cafe\u0301-1234', hash)).toBe(true)
})

test.each(['standard', 'cheap'] as const)(
  'without an account a decoy of the same cost (%s) is verified, and the result is false',
  async (cost) => {
    const hasher = passwordHasher(cost)
    const parametersOf = (hash: string) => hash.split('$').slice(1, 4)
    expect(parametersOf(decoyHash(cost))).toEqual(parametersOf(await hasher.hash('anything')))
    expect(await hasher.matches('anything', decoyHash(cost))).toBe(false)
    expect(await hasher.matches('anything', undefined)).toBe(false)
  },
)

test('calls beyond the queue limit are rejected, and the queue drains again', async () => {
  const results = await Promise.allSettled(Array.from({ length: 130 }, () => passwords.matches('x', undefined)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(130 - 121)
  expect(refused[0]?.reason).toMatchObject({ kind: 'unavailable', said: { code: 'http.busy' }, details: { retryAfterSeconds: 2 } })
  expect(await passwords.matches('x', undefined)).toBe(false)
})

test('sign-in has its own share: a full queue of other work neither rejects nor delays it', async () => {
  const hasher = passwordHasher('cheap')
  const done: string[] = []
  const other = Array.from({ length: 130 }, () =>
    hasher.hash('x').then(
      () => done.push('other'),
      () => undefined,
    ),
  )
  const match = signIn(hasher)
  expect(hasher.load()['sign-in']).toEqual({ running: 1, waiting: 0 })
  await Promise.all([match, ...other])
  expect(done).toHaveLength(121)
})

test('a sign-in begins at once beside other work, which takes one of the two slots only', async () => {
  const hasher = passwordHasher('cheap')
  const others = Array.from({ length: 5 }, () => hasher.hash('x'))
  const match = signIn(hasher)
  expect(hasher.load()).toEqual({ 'sign-in': { running: 1, waiting: 0 }, other: { running: 1, waiting: 4 } })
  await match
  expect(hasher.load().other.running).toBe(1)
  await Promise.all(others)
  expect(hasher.load()).toEqual({ 'sign-in': { running: 0, waiting: 0 }, other: { running: 0, waiting: 0 } })
})

test('other work has its share next to a full queue of sign-ins', async () => {
  const hasher = passwordHasher('cheap')
  const all = Array.from({ length: 122 }, (_, index) => signIn(hasher, '192.0.2.1', `${index}`))
  const hashed = hasher.hash('x')
  expect(hasher.load().other).toEqual({ running: 0, waiting: 1 })
  await Promise.race(all)
  expect(hasher.load().other).toEqual({ running: 1, waiting: 0 })
  await Promise.all([hashed, ...all])
})

test('many sign-ins of one address do not come before one of another address', async () => {
  const hasher = passwordHasher('cheap')
  let before = 0
  const many = Array.from({ length: 100 }, (_, index) => signIn(hasher, '192.0.2.1', `${index}`).then(() => (before += 1)))
  await signIn(hasher, '192.0.2.2')
  // Turns are in fair-queue.test.ts; here the other of the two slots may work on alone for a while.
  expect(before).toBeLessThan(80)
  await Promise.all(many)
})

test('the event loop goes on while a password is hashed', async () => {
  let isHashed = false
  const hashing = passwordHasher('cheap')
    .hash('x')
    .then(() => (isHashed = true))
  // A result that comes without a turn of the event loop would be there by now.
  for (let step = 0; step < 1_000; step += 1) await Promise.resolve()
  expect(isHashed).toBe(false)
  await hashing
})
