// The main tasks of each kind of user, short, and the same in every browser: nothing typed may be lost.
import { randomInt, randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { canvas, legend, savesWorkspace, tool } from './native-chart.ts'
import { noWorkspace } from '../../shared/workspace/workspace.ts'
import { addPerson, addRequest, agree, callAs, password, type Person } from './people.ts'
import { arriveAt, press, see } from './see.ts'
import { expectEventually } from './test.ts'

export interface Step {
  readonly page: Page
  /** The condition strikes. */
  readonly midway: () => Promise<void>
  readonly forgetsSession: boolean
}

export interface Walk {
  readonly name: string
  readonly run: (step: Step) => Promise<void>
}

export const walks: readonly Walk[] = [
  { name: 'visitor', run: visitor },
  { name: 'buyer', run: buyer },
  { name: 'trader', run: trader },
  { name: 'admin', run: admin },
]

/** Tries the demo, makes an account and signs in with it. */
async function visitor({ page, midway }: Step): Promise<void> {
  const email = `visitor-${randomUUID().slice(0, 8)}@example.in`
  await page.goto('/')
  await page.getByRole('button', { name: 'CRYPTO' }).click()
  await page.getByRole('img', { name: /^Illustrative candlestick chart of BTC\/USDT/ }).waitFor()
  await page.getByRole('link', { name: 'Start Analysis' }).first().click()
  await arriveAt(page, '/login')
  await page.getByRole('link', { name: 'Create an account' }).last().click()
  const typed = { 'Full name': 'Meera Nair', Email: email, Phone: '9876543210', Password: password, 'Confirm password': password }
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text)
  await agree(page)
  await midway()
  for (const [label, text] of Object.entries(typed)) await expectValue(page.getByLabel(label, { exact: true }), text)
  await press(page, 'Create Account')
  await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
  await expectValue(page.getByLabel('Email'), email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in to Dashboard')
  await legend(page).waitFor()
}

/** Signs in, pays and sees that the request is pending. */
async function buyer({ page, midway }: Step): Promise<void> {
  const utr = `4${String(randomInt(1e10, 1e11))}`
  await signIn(page, await addPerson('free'))
  await inMenu(page, page.getByRole('button', { name: 'Premium Chart' }))
  const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })
  await dialog.getByRole('radio', { name: /Regular/ }).check()
  await dialog.getByLabel('UTR No.').fill(utr)
  const app = dialog.getByRole('link', { name: 'Open a UPI app' })
  if (await app.isVisible()) {
    await app.click()
    await see(page, 'Nothing opens? Copy payee and amount into your UPI app.')
  }
  await dialog.getByRole('button', { name: 'Copy payee' }).click()
  await dialog.getByRole('button', { name: /^(Copied|Not copied)$/ }).waitFor()
  await midway()
  await expectValue(dialog.getByLabel('UTR No.'), utr)
  await press(page, 'Submit Request')
  await see(page, 'Your subscription request has been submitted')
  await dialog.waitFor({ state: 'hidden' })
  await see(page, 'Request Pending')
}

/** Opens a premium chart, draws on it and saves a layout; both are there afterwards. */
async function trader({ page, midway, forgetsSession }: Step): Promise<void> {
  const person = await addPerson('premium')
  // The provider's chart is not reached from here.
  await callAs(person, 'PUT', '/user/workspace', { version: 0, workspace: { ...noWorkspace, engine: 'tezi' } })
  await signIn(page, person)
  const select = page.getByRole('combobox', { name: 'Asset group' })
  if (await select.isVisible()) await select.selectOption('CRYPTO')
  else await page.getByRole('navigation', { name: 'Asset group' }).getByRole('link', { name: 'CRYPTO' }).click()
  await page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name: 'BTC/USDT' }).click()
  await arriveAt(page, '/btc-usdt')
  await legend(page).waitFor()
  await expectCountdown(page)
  await tool(page, 'Horizontal line').click()
  const drawn = page.waitForResponse((reply) => reply.url().endsWith('/user/drawings/btc-usdt') && reply.request().method() === 'PUT')
  await canvas(page).click()
  expect((await drawn).status()).toBe(200)
  await press(page, 'Layouts')
  await page.getByLabel('Name of the new layout').fill('Morning')
  await midway()
  await expectValue(page.getByLabel('Name of the new layout'), 'Morning')
  await savesWorkspace(
    page,
    ({ layouts }) => layouts.length === 1,
    () => press(page, 'Save'),
  )
  if (forgetsSession) await signIn(page, person)
  else await page.reload()
  await legend(page).waitFor()
  await arriveAt(page, '/btc-usdt')
  await expectEventually(() => tool(page, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
  await press(page, 'Layouts')
  await page.getByRole('button', { name: 'Open Morning' }).waitFor()
}

/** Finds a user with a request, accepts it, and reads it in the log. */
async function admin({ page, midway }: Step): Promise<void> {
  const buyer = await addRequest()
  await signIn(page, await addPerson('admin'))
  await inMenu(page, page.getByRole('link', { name: 'Admin Dashboard' }))
  await page.getByRole('searchbox', { name: 'Search' }).fill(buyer.email)
  await page.getByText(buyer.email, { exact: true }).first().waitFor()
  await midway()
  await expectValue(page.getByRole('searchbox', { name: 'Search' }), buyer.email)
  await inMenu(page, page.getByRole('link', { name: 'Requested Users' }))
  const request = page.locator('tr, li').filter({ hasText: buyer.email })
  await request.getByRole('button', { name: 'Accept Asha Rao' }).click()
  await see(page, 'Subscription accepted')
  await inMenu(page, page.getByRole('link', { name: 'Audit Log' }))
  await page.getByText(buyer.email).first().waitFor()
}

/** By the form, as everybody does; opens the dashboard. */
async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  const [email, secret] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })]
  await email.fill(person.email)
  await secret.fill(person.password)
  await press(page, 'Sign in to Dashboard')
  await expectValue(email, person.email)
  await expectValue(secret, person.password)
  await legend(page).waitFor()
}

/** The countdown to the next minute is right, whatever the device's clock says, and goes on. */
async function expectCountdown(page: Page): Promise<void> {
  const shown = () => page.getByTestId('countdown').textContent()
  const isRight = async () => {
    const [minutes, seconds] = ((await shown()) ?? '').split(':').map(Number)
    const offBy = Math.abs((minutes ?? NaN) * 60 + (seconds ?? NaN) + ((Date.now() / 1000) % 60)) % 60
    return Math.min(offBy, 60 - offBy) <= 2
  }
  await expectEventually(isRight).toBe(true)
  const before = await shown()
  await expectEventually(shown).not.toBe(before)
  await expectEventually(isRight).toBe(true)
}

/** On a small screen the controls of the header are in a menu. */
async function inMenu(page: Page, control: Locator): Promise<void> {
  await expectEventually(async () => (await control.count()) + (await page.getByRole('button', { name: 'Menu' }).count())).toBeGreaterThan(
    0,
  )
  if (!(await control.first().isVisible())) await press(page, 'Menu')
  await control.first().click()
}

async function expectValue(field: Locator, text: string): Promise<void> {
  expect(await field.inputValue()).toBe(text)
}
