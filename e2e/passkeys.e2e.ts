// Passkeys with Chromium's virtual authenticator: added on the account page, used at sign-in, rejected when cloned, removed.
import { createServer, type AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { browserFlags } from '../scripts/browser-flags.ts'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, password } from './harness/people.ts'
import { arriveAt, press, see, seeNoMore } from './harness/see.ts'
import { startServer, testSettings, type ServerProcess } from './harness/server-process.ts'
import { sql } from './harness/sql.ts'
import { test } from './harness/test.ts'
import { world } from './harness/world.ts'

// Passkeys are bound to a host name, so this server is opened by one.
test.use({
  launchOptions: {
    ...(process.env['CHROME_PATH'] === undefined ? {} : { executablePath: process.env['CHROME_PATH'] }),
    args: [...browserFlags, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  },
})

let server: ServerProcess
let origin: string
test.beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  const place = { PORT: String(port), HOST: 'localhost', PUBLIC_URL: origin }
  server = await startServer({ DATABASE_URL: world().databaseUrl, ...testSettings, ...place })
})
test.afterAll(() => server.stop())

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.listen(0, 'localhost', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** A device with a fingerprint reader that always accepts. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, authenticatorId }
}

test('a passkey is added, signs in, is rejected with an old counter, and is removed', async ({ open }) => {
  const person = await addPerson('free')
  const { page } = await open('/account', { as: person, origin })
  const { devtools, authenticatorId } = await addAuthenticator(page)
  await press(page, 'Add passkey')
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await press(page, 'I have saved them')
  await see(page, /not used yet$/)
  await expectAccessible(page)

  const signIn = async () => {
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await press(page, 'Sign in to Dashboard')
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  }
  await press(page, 'Sign Out')
  await arriveAt(page, '/login')
  await signIn()
  await expectAccessible(page)
  await press(page, 'Use a passkey')
  await arriveAt(page, '/')
  await page.goto('/account')
  await see(page, /last used/)

  // A clone of the key has its own counter, so one of the two falls behind.
  await sql(`update passkeys set counter = 1000000 where user_id = (select id from users where email = $1)`, [person.email])
  await press(page, 'Sign Out')
  await arriveAt(page, '/login')
  await signIn()
  await press(page, 'Use a passkey')
  await see(page, 'This code is wrong or has been used. Enter the newest code of your app.')
  await sql(`update passkeys set counter = 0 where user_id = (select id from users where email = $1)`, [person.email])
  await press(page, 'Use a passkey')
  await arriveAt(page, '/')

  await page.goto('/account')
  await page.getByRole('button', { name: /^Remove the passkey / }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this passkey?' })
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await see(page, 'Passkey removed')
  await seeNoMore(page, /last used/)
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toHaveLength(1)
})
