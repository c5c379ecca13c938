// The first admin: no password is lost, no ordinary account is promoted, no setting is silently ignored.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operatorCommands } from './operator-commands.ts'
import { passwordHasher } from './password-hasher.ts'
import { AuthRepository } from './repository.ts'
import { AuthService } from './service.ts'
import { databasePresence } from '../users/database-presence.ts'
import { noRateLimits } from '../../http/rate-limiter.ts'
import { proofOfWork } from '../../http/proof-of-work.ts'
import { mailService } from '../../mail/mail-service.ts'
import { loadServerKeys } from '../../secrets/secret-box.ts'
import { startMs, testApp, type TestApp } from '../../testing/app.ts'

const generated = { adminEmail: undefined, adminPassword: undefined }
const caller = { address: '203.0.113.7', userAgent: '' }

let server: TestApp
let auth: AuthService
let operator: ReturnType<typeof operatorCommands>
let shown: string
beforeAll(async () => {
  server = await testApp()
  const { db } = server.database
  const hasher = passwordHasher('cheap')
  const keyFor = await loadServerKeys(db)
  const now = () => startMs
  const proofs = proofOfWork({ rateLimiter: noRateLimits, key: keyFor('proof-of-work'), now })
  auth = new AuthService({
    db,
    rateLimiter: noRateLimits,
    presence: databasePresence(db),
    hasher,
    deviceKey: keyFor('device'),
    proofs,
    now,
    mails: mailService({ db, mailer: undefined, onError: () => {} }),
    onError: () => {},
  })
  operator = operatorCommands({ db, hasher, now })
})
beforeEach(async () => {
  await server.reset()
  shown = ''
})
afterAll(() => server.close())

const hasAdmin = () => new AuthRepository(server.database.db).hasAdmin()

const show = (lines: readonly string[]) => {
  shown += lines.join('\n')
  return Promise.resolve()
}

test('a password that could not be shown is not stored, and the next start shows another one', async () => {
  const closed = new Error('write EPIPE')
  await expect(operator.ensureFirstAdmin(generated, () => Promise.reject(closed))).rejects.toBe(closed)
  expect(await hasAdmin()).toBe(false)
  await operator.ensureFirstAdmin(generated, show)
  const password = /Password: +(\S{20})\n/.exec(shown)?.[1] ?? ''
  expect(await auth.signIn({ email: 'admin@tezi.local', password }, caller, undefined)).toMatchObject({ user: { role: 'admin' } })
})

test('when the password is shown, no other connection sees the admin yet', async () => {
  const seen: boolean[] = []
  await operator.ensureFirstAdmin(generated, async () => void seen.push(await hasAdmin()))
  expect(seen).toEqual([false])
  expect(await hasAdmin()).toBe(true)
})

test('the second start shows nothing', async () => {
  await operator.ensureFirstAdmin(generated, () => Promise.resolve())
  await operator.ensureFirstAdmin(generated, show)
  expect(shown).toBe('')
})

test('a configured password is used once and never shown; later it is reported as ignored', async () => {
  const config = { adminEmail: 'chief@example.in', adminPassword: 'Monsoon-Rain-77' }
  await operator.ensureFirstAdmin(config, show)
  expect(shown).toBe('First admin: chief@example.in (password as given in ADMIN_PASSWORD)')
  shown = ''
  await operator.ensureFirstAdmin({ ...config, adminPassword: 'Other-Rain-77' }, show)
  expect(shown).toBe('ADMIN_PASSWORD is ignored: there is an admin already. To reset a password: npx tezi admin reset-password EMAIL')
  const form = { email: config.adminEmail, password: config.adminPassword }
  expect(await auth.signIn(form, caller, undefined)).toMatchObject({ user: { role: 'admin' } })
})

test('an ordinary account is not promoted', async () => {
  await server.addUser({ email: 'chief@example.in' })
  await operator.ensureFirstAdmin({ adminEmail: 'chief@example.in', adminPassword: undefined }, show)
  expect(shown).toBe('No admin was created: chief@example.in is already an ordinary account. Set ADMIN_EMAIL to another address.')
  expect(await hasAdmin()).toBe(false)
})
