// A sign-in whose account changes during the password check: the final state decides.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { proofOfWork } from '#server/http/proof-of-work.ts'
import { mailService } from '#server/mail/mail-service.ts'
import { loadServerKeys } from '#server/secrets/secret-box.ts'
import { startMs, testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addTotp } from '#server/testing/factors.ts'
import { operatorCommands } from './operator-commands.ts'
import { passwordHasher, type PasswordHasher } from './password-hasher.ts'
import { AuthService } from './service.ts'

const caller = { address: '203.0.113.7', userAgent: '' }
const hasher = passwordHasher('cheap')
const now = () => startMs

let server: TestApp
let user: { id: string; email: string }
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  user = await server.addUser()
})
afterAll(() => server.close())

/** Signs in with the correct password; `meanwhile` runs after it was checked, and before the result arrives. */
async function signInDuring(meanwhile: () => Promise<unknown>) {
  const { db } = server.database
  const keyFor = await loadServerKeys(db)
  const slow: PasswordHasher = {
    ...hasher,
    signIn: (turn, work) =>
      hasher.signIn(turn, (matches) =>
        work(async (...check) => {
          const isMatch = await matches(...check)
          await meanwhile()
          return isMatch
        }),
      ),
  }
  const proofs = proofOfWork({ rateLimiter: noRateLimits, key: keyFor('proof-of-work'), now })
  const options = {
    db,
    rateLimiter: noRateLimits,
    presence: databasePresence(db),
    hasher: slow,
    deviceKey: keyFor('device'),
    proofs,
    now,
    mails: mailService({ db, mailer: undefined, onError: () => {} }),
    onError: () => {},
  }
  return new AuthService(options).signIn({ email: user.email, password: testPassword }, caller)
}

const resetPassword = () => operatorCommands({ db: server.database.db, hasher, now }).resetPassword(user.email, () => Promise.resolve())
const sessions = () => server.database.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()
const challenges = () => server.database.db.selectFrom('sign_in_challenges').select('user_id').execute()
const refused = { kind: 'unauthenticated', wireMessage: { code: 'auth.credentialsWrong' } }

test('a password changed meanwhile opens no session', async () => {
  await expect(signInDuring(resetPassword)).rejects.toMatchObject(refused)
  expect(await sessions()).toEqual([])
})

test('a password changed meanwhile opens no challenge', async () => {
  const browser = server.browser()
  await browser.signIn(user.email)
  await addTotp(server, browser)
  await expect(signInDuring(resetPassword)).rejects.toMatchObject(refused)
  expect(await challenges()).toEqual([])
})

test.each(['session', 'challenge'])('a concurrent password change is waited for, and then opens no %s', async (what) => {
  const { db } = server.database
  if (what === 'challenge')
    await db
      .updateTable('users')
      .set({ second_factor_since: new Date(startMs) })
      .where('id', '=', user.id)
      .execute()
  const { running } = await db.transaction().execute(async (change) => {
    await change.updateTable('users').set({ password_hash: 'x' }).where('id', '=', user.id).execute()
    const running = signInDuring(() => Promise.resolve()).catch((error: unknown) => error)
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1)
    return { running }
  })
  expect(await running).toMatchObject(refused)
  expect([await sessions(), await challenges()]).toEqual([[], []])
})

test('a second factor added meanwhile is not bypassed', async () => {
  const browser = server.browser()
  await browser.signIn(user.email)
  await expect(signInDuring(() => addTotp(server, browser))).rejects.toMatchObject(refused)
  expect(await sessions()).toHaveLength(1)
})

test('an unchanged account signs in', async () => {
  expect(await signInDuring(() => Promise.resolve())).toMatchObject({ user: { email: user.email } })
  expect(await sessions()).toHaveLength(1)
})
