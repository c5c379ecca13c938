// Hashing: the parameters, the same work for unknown accounts, a bounded queue, and turns by owner.
import { expect, test, describe, it } from 'vitest'
import { decoyHash, passwordHasher, OwnerTurns, type PasswordHasher } from './password-hasher.ts'
import { assertProperty, fc } from '#testing/property.ts'

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
  expect(refused[0]?.reason).toMatchObject({ kind: 'unavailable', wireMessage: { code: 'http.busy' }, details: { retryAfterSeconds: 2 } })
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

const options = { runningMax: 2, runningPerOwner: 1, waitingMax: 4, perPart: 10 }

/** Begins work such as `a1` of owner a, which runs until it is ended. */
function workOf(turns: OwnerTurns) {
  const running = new Map<string, () => void>()
  const done: string[] = []
  const refused: string[] = []
  const begin = (name: string, part = name): void => {
    const owner = name.replace(/\d+$/, '')
    const work = () => new Promise<void>((resolve) => running.set(name, resolve))
    void turns.take({ owner, part }, work).then(
      () => done.push(name),
      () => refused.push(name),
    )
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    done,
    refused,
    names: () => [...running.keys()].join(' '),
    async begin(...names: string[]) {
      for (const name of names) begin(name)
      await turn()
    },
    beginPart: async (name: string, part: string) => {
      begin(name, part)
      await turn()
    },
    async end(name: string) {
      running.get(name)?.()
      running.delete(name)
      await turn()
    },
  }
}

describe('turns by owner', () => {
  it('gives an owner its own places only, and the next free one to the next owner in turn', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'a2', 'b1', 'b2', 'c1')
    expect(work.names()).toBe('a1 b1')
    await work.end('b1')
    expect(work.names()).toBe('a1 b2')
    await work.end('a1')
    expect(work.names()).toBe('b2 a2')
    await work.end('b2')
    expect(work.names()).toBe('a2 c1')
  })

  it('drops the newest work of the longest backlog, and a newcomer is not refused', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'c1')
    expect(work.refused).toEqual(['a4'])
    await work.begin('b3')
    expect(work.refused).toEqual(['a4', 'b3'])
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']) await work.end(name)
    expect(work.done).toHaveLength(6)
  })

  it('refuses a newcomer only if all others wait for as little', async () => {
    const work = workOf(new OwnerTurns(options))
    await work.begin('a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1')
    expect(work.refused).toEqual(['g1'])
  })

  it('bounds what one part of an owner has under way, without touching the rest', async () => {
    const work = workOf(new OwnerTurns({ ...options, perPart: 2 }))
    for (const name of ['a1', 'a2', 'a3']) await work.beginPart(name, 'same')
    expect(work.refused).toEqual(['a3'])
    await work.beginPart('a4', 'other')
    expect(work.refused).toEqual(['a3'])
    await work.end('a1')
    await work.beginPart('a5', 'same')
    expect(work.refused).toEqual(['a3'])
  })

  it('frees the place of work that fails', async () => {
    const turns = new OwnerTurns({ ...options, runningMax: 1 })
    await expect(turns.take({ owner: 'a', part: '' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await turns.take({ owner: 'b', part: '' }, () => Promise.resolve(1))).toBe(1)
    expect(turns.waiting).toBe(0)
  })

  it('serves a newcomer beside any backlogs of fewer owners than waiting places, and everything ends', async () => {
    await assertProperty(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 3 }), async (backlogs) => {
        const turns = new OwnerTurns(options)
        const work = workOf(turns)
        for (const [owner, count] of backlogs.entries())
          await work.begin(...Array.from({ length: count }, (_, index) => `${'abc'[owner] ?? ''}${index}`))
        await work.begin('z1')
        expect(work.refused).not.toContain('z1')
        while (work.names() !== '') await work.end(work.names().split(' ')[0] ?? '')
        expect(work.done).toContain('z1')
        expect(turns.waiting).toBe(0)
        expect(work.done.length + work.refused.length).toBe(backlogs.reduce((sum, count) => sum + count, 1))
      }),
    )
  })
})
