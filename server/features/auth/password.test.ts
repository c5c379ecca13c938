// Hashing: the parameters, the same work for accounts that do not exist, and a bounded queue.
import { expect, test } from 'vitest'
import { decoyHash, passwordHasher } from './password.ts'

const passwords = passwordHasher('cheap')

test('in production a hash is argon2id with 46 MiB, one pass and one lane, and belongs to one password', async () => {
  const standard = passwordHasher()
  const hash = await standard.hash('Kesar-Chai-42')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  expect(await standard.matches('Kesar-Chai-42', hash)).toBe(true)
  expect(await standard.matches('Kesar-Chai-43', hash)).toBe(false)
  expect(await standard.hash('Kesar-Chai-42')).not.toBe(hash)
})

test('letters composed in another way are the same letters', async () => {
  const hash = await passwords.hash('caf\u00e9-1234')
  expect(await passwords.matches('cafe\u0301-1234', hash)).toBe(true)
})

test.each(['standard', 'cheap'] as const)(
  'without an account a decoy of the same cost (%s) is verified, and the answer is no',
  async (cost) => {
    const hasher = passwordHasher(cost)
    const parametersOf = (hash: string) => hash.split('$').slice(1, 4)
    expect(parametersOf(decoyHash(cost))).toEqual(parametersOf(await hasher.hash('anything')))
    expect(await hasher.matches('anything', decoyHash(cost))).toBe(false)
    expect(await hasher.matches('anything', undefined)).toBe(false)
  },
)

test('more than the queue holds are told to come back, and the queue empties again', async () => {
  const results = await Promise.allSettled(Array.from({ length: 130 }, () => passwords.matches('x', undefined)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(130 - 122)
  expect(refused[0]?.reason).toMatchObject({ kind: 'unavailable', details: { code: 'http.busy', retryAfterSeconds: 5 } })
  expect(await passwords.matches('x', undefined)).toBe(false)
})
