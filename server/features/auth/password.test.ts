// Hashing: the parameters, the same work for accounts that do not exist, and a bounded queue.
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

test('a hash is argon2id with 46 MiB and belongs to one password', async () => {
  const hash = await hashPassword('Kesar-Chai-42')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
  expect(await isPassword('Kesar-Chai-42', hash)).toBe(true)
  expect(await isPassword('Kesar-Chai-43', hash)).toBe(false)
  expect(await hashPassword('Kesar-Chai-42')).not.toBe(hash)
})

test('letters composed in another way are the same letters', async () => {
  const hash = await hashPassword('caf\u00e9-1234')
  expect(await isPassword('cafe\u0301-1234', hash)).toBe(true)
})

test('without an account the decoy is a hash of the same cost, and the answer is no', async () => {
  expect(await isPassword('anything', undefined)).toBe(false)
})

test('more than the queue holds are told to come back', async () => {
  const results = await Promise.allSettled(Array.from({ length: 130 }, () => isPassword('x', undefined)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(130 - 122)
  expect(refused[0]?.reason).toMatchObject({ kind: 'unavailable', details: { retryAfterSeconds: 5 } })
})
