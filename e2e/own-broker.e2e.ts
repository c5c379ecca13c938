// A user's own broker on the account page: each state of the connection in both sizes, and Zerodha's redirect page.
import { randomBytes } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { brokersText as text } from '../shared/brokers/text/en.ts'
import { emailText } from '../shared/auth/text/en-email.ts'
import { expectAccessible, expectTouchTargets } from './harness/accessible.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { addPerson } from './harness/people.ts'
import { see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { phone, taggedSizes, test } from './harness/test.ts'

// One server with a secret key serves all of these tests.
test.describe.configure({ mode: 'default' })

const secrets = ['e2e-app-key', 'e2e-app-secret']

let server: OwnServer

test.beforeAll(async () => {
  // Nothing listens there, so every login at Zerodha fails.
  const kite = { restUrl: 'http://127.0.0.1:9', loginUrl: 'http://127.0.0.1:9/connect/login' }
  server = await startOwnServer({ SECRET_KEY: randomBytes(32).toString('base64'), MARKET_URLS: JSON.stringify({ kite }) })
})
test.afterAll(() => server.stop())

const sectionOf = (page: Page): Locator => page.getByRole('region', { name: text.title })

async function setConnection(email: string, change: string): Promise<void> {
  await sql(`update broker_connections set ${change} where user_id = (select id from users where email = $1)`, [email], server.databaseUrl)
}

async function expectGood(page: Page, isTouch: boolean): Promise<void> {
  await expectAccessible(page)
  if (isTouch) await expectTouchTargets(sectionOf(page))
}

/** Connects with an app; Zerodha's login page is replaced by its redirect. */
async function connect(page: Page, back: (state: string) => string): Promise<void> {
  await page.route('**/api/v1/user/broker/kite', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { loginUrl: string } }
    const params = new URLSearchParams(new URL(answer.data.loginUrl).searchParams.get('redirect_params') ?? '')
    answer.data.loginUrl = back(params.get('state') ?? '')
    await route.fulfill({ response, json: answer })
  })
  const form = page.getByRole('form', { name: text.chooseKite })
  await form.getByLabel(text.apiKey).fill(secrets[0] ?? '')
  await form.getByLabel(text.apiSecret).fill(secrets[1] ?? '')
  await form.getByRole('button', { name: text.connectKite }).click()
}

for (const { name, size, details } of taggedSizes) {
  test(`the broker section and the redirect from Zerodha are complete and accessible at ${name}`, details, async ({ open }) => {
    const person = await addPerson('premium', server)
    const { page } = await open('/account', { as: person, size })
    await see(page, text.encrypted)
    await expectGood(page, size === phone)

    await connect(page, (state) => `/account/broker?status=success&request_token=abc&state=${state}`)
    await see(page, text.unreachable)
    await expectAccessible(page)
    await page.getByRole('link', { name: emailText.toAccount }).click()
    await sectionOf(page).getByText(text.loginNote).waitFor()
    await expectGood(page, size === phone)

    const states = [
      [`session_at = now(), expires_at = now() + interval '1 hour'`, text.state.connected, text.renew],
      [`refused_at = now()`, text.state.error, text.renew],
      [`expires_at = now() - interval '1 hour'`, text.state.expired, text.renew],
    ] as const
    for (const [change, words, button] of states) {
      await setConnection(person.email, change)
      await page.reload()
      await sectionOf(page).getByText(words, { exact: true }).waitFor()
      await sectionOf(page).getByRole('button', { name: button }).waitFor()
      await expectGood(page, size === phone)
    }

    await page.goto('/reliance')
    const notice = page.getByTestId('broker-notice')
    await notice.getByText(text.chartNotice.expired(text.names.kite)).waitFor()
    await expectAccessible(page)
    if (size === phone) await expectTouchTargets(notice)
    await notice.getByRole('link').click()
    await sectionOf(page).getByRole('button', { name: text.disconnect }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: text.disconnect }).click()
    await see(page, text.encrypted)
  })
}

test('a site without a secret key advertises no connection', async ({ open }) => {
  const { page } = await open('/account', { as: await addPerson('premium'), size: phone })
  await see(page, 'This session')
  await page.waitForLoadState('networkidle')
  expect(await page.getByText(text.note).count()).toBe(0)
  await expectAccessible(page)
})
