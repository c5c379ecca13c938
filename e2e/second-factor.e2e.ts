// Two-factor sign-in in the browser: set up on the account page, used at sign-in, required of admins, accessible in both sizes.
import { expect, type Page } from '@playwright/test'
import { codeOf } from '../server/testing/factors.ts'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, password, type Person } from './harness/people.ts'
import { arriveAt, press, see } from './harness/see.ts'
import { startServer, testSettings, type ServerProcess } from './harness/server-process.ts'
import { taggedSizes, test } from './harness/test.ts'
import { world } from './harness/world.ts'

const stepMs = 30_000

/** Activates the app in the open form; returns its secret and the recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const href = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')
  const secret = new URL(href ?? '').searchParams.get('secret') ?? ''
  await page.getByLabel('Code of the app').fill(codeOf(secret, Date.now()))
  await press(page, 'Turn on')
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  return { secret, codes: await list.getByRole('listitem').allTextContents() }
}

async function givePassword(page: Page, person: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await press(page, 'Sign in to Dashboard')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

for (const { name, size, details } of taggedSizes) {
  test(`is set up on the account page and required at sign-in, at ${name}`, details, async ({ open }) => {
    const person = await addPerson('free')
    const { page: account } = await open('/account', { as: person, size })
    await press(account, 'Set up authenticator app')
    await account.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectAccessible(account)
    const { secret, codes } = await setUp(account)
    expect(codes).toHaveLength(10)
    await expectAccessible(account)
    await press(account, 'I have saved them')
    await see(account, /^On since /)
    await expectAccessible(account)

    const { page } = await open('/login', { size })
    await givePassword(page, person)
    await expectAccessible(page)
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await see(page, 'This code is wrong or has been used. Enter the newest code of your app.')
    // The code of the setup is consumed; the next step's is accepted one step early.
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, Date.now() + stepMs))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await arriveAt(page, '/')

    const { page: lost } = await open('/login', { size })
    await givePassword(lost, person)
    await press(lost, 'Use a recovery code')
    await lost.getByLabel('Recovery code').fill(codes[0] ?? '')
    await lost.getByRole('button', { name: 'Sign in', exact: true }).click()
    await arriveAt(lost, '/')
  })
}

test.describe('if admins need it', () => {
  let server: ServerProcess
  test.beforeAll(async () => {
    server = await startServer({ DATABASE_URL: world().databaseUrl, ...testSettings, ADMIN_TWO_FACTOR: 'required' })
  })
  test.afterAll(() => server.stop())

  test('an admin sets it up before the admin area opens', async ({ open }) => {
    const { page } = await open('/admin', { as: await addPerson('admin'), origin: server.origin })
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor()
    await expectAccessible(page)
    await setUp(page)
    await press(page, 'I have saved them')
    await page.getByRole('table', { name: 'All Users' }).waitFor()
  })
})
