// Looks of the admin screens that only a layout engine can judge: nothing wraps, jumps, or lies over a control.
import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { addCrowd, addPerson, addRequest } from './harness/people.ts'
import { putPlan } from './harness/plans.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { confirmSuspension, rowOf, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, phone, test } from './harness/test.ts'

test.describe.configure({ mode: 'default' })

let server: OwnServer
test.beforeAll(async () => {
  server = await startOwnServer()
  await putPlan('regular', server.databaseUrl)
  await putPlan('crypto', server.databaseUrl)
})
test.afterAll(() => server.stop())

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('Not on the page')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const overflowOf = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

test('a transaction hash stays on one line beside the longest status, and inside of the dialog', { tag: '@slow' }, async ({ open }) => {
  const person = await addRequest(server)
  const admin = await addPerson('admin', server)
  const hash = randomUUID().replaceAll('-', '').repeat(2).toUpperCase()
  await sql(
    `with buyer as (update users set utr_no = $2, payment_type = 'crypto' where email = $1 returning id)
     update payment_requests set reference = $2 where user_id = (select id from buyer)`,
    [person.email, hash],
    server.databaseUrl,
  )
  const { page } = await open(`/admin?search=${person.email}`, { as: admin })
  const row = rowOf(page, person.email)
  await row.getByRole('button', { name: 'Accept Asha Rao' }).click()
  await row.getByRole('button', { name: 'Suspend Asha Rao' }).click()
  await confirmSuspension(page)
  await row.getByText('suspended').waitFor()
  const text = row.getByText(`${hash.slice(0, 6)}…${hash.slice(-4)}`)
  expect((await boxOf(text)).height).toBeLessThan(24)
  expect((await boxOf(row)).height).toBeLessThan(36)
  expect(await overflowOf(page.getByRole('region', { name: 'All Users' }))).toBe(0)
  await row.getByRole('button', { name: 'Accept Asha Rao' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Accept Asha Rao?' })
  await dialog.getByText(hash).waitFor()
  expect(await overflowOf(dialog)).toBe(0)
})

test('on a phone the list ends above a message', { tag: '@slow' }, async ({ open }) => {
  for (let count = 0; count < 4; count++) await addRequest(server)
  const { page } = await open('/admin/user-req', { as: await addPerson('admin', server), size: phone })
  await page.getByRole('button', { name: 'Accept Asha Rao' }).first().click()
  const toast = page.getByRole('dialog', { name: 'Done' })
  await toast.hover()
  await expectEventually(async () => (await boxOf(page.getByRole('main'))).bottom <= (await boxOf(toast)).y).toBe(true)
})

test('on a phone a long dialog ends above a message', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/admin/instruments', { as: await addPerson('admin', server), size: phone })
  await page.getByRole('button', { name: 'Edit BANKNIFTY', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'BANKNIFTY' })
  await page.route('**/api/v1/admin/instruments/*', (route) => route.abort())
  await dialog.getByRole('checkbox', { name: 'Visible in menu and search' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const toast = page.getByRole('alertdialog', { name: 'Error' }).or(page.getByRole('dialog', { name: 'Error' }))
  await toast.hover()
  await expectEventually(async () => (await boxOf(dialog)).bottom <= (await boxOf(toast)).y).toBe(true)
})

test('on a phone the list of users loads at the height that it has', { tag: '@slow' }, async ({ open }) => {
  const mark = await addCrowd(13, server)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  // The first visit stores the warning of a calendar that runs out; the next one keeps its space.
  const { page } = await open('/admin', { as: await addPerson('admin', server), size: phone })
  await page.waitForLoadState('networkidle')
  await page.route('**/api/v1/admin?*', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`/admin?search=${mark}`)
  await see(page, 'Expiring in 7 days')
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'attached' })
  const heightOf = (main: Page) => main.getByRole('main').evaluate((element) => element.scrollHeight)
  const loading = await heightOf(page)
  release()
  await page.getByRole('button', { name: `History of ${mark} 01` }).waitFor()
  // The pages below the list come with it.
  expect(Math.abs((await heightOf(page)) - loading)).toBeLessThan(150)
})

test('on a phone the calendar leaves its date field in view, whole and uncovered', { tag: '@slow' }, async ({ open }) => {
  await addCrowd(13, server)
  const { page } = await open('/admin', { as: await addPerson('admin', server), size: phone })
  await page.waitForLoadState('networkidle')
  for (const name of ['Start date', 'End date']) {
    await page.getByRole('button', { name: `Choose ${name.toLowerCase()}` }).click()
    // Its code comes with the first click, and it scrolls the page as it opens.
    await page.getByRole('dialog').waitFor()
    const [field, calendar] = [await boxOf(page.getByLabel(name, { exact: true })), await boxOf(page.getByRole('dialog'))]
    expect(field.bottom).toBeLessThanOrEqual(calendar.y)
    expect(field.y).toBeGreaterThan(44)
    expect(calendar.bottom).toBeLessThanOrEqual(phone.height)
    expect(calendar.x).toBeGreaterThanOrEqual(0)
    expect(calendar.right).toBeLessThanOrEqual(phone.width)
    await page.keyboard.press('Escape')
  }
})

test('on a phone each copy button of a payment is beside the middle of its value', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/account', { as: await addPerson('free', server), size: phone })
  await page.getByRole('button', { name: 'See Premium' }).click()
  const dialog = page.getByRole('dialog', { name: 'Premium Subscription' })
  for (const type of ['Regular', 'Crypto']) {
    await dialog.getByRole('radio', { name: type }).check()
    const [pay, amount] = ['Copy payee', 'Copy amount'].map((name) => dialog.getByRole('button', { name }))
    for (const button of [pay, amount]) {
      if (button === undefined) throw new Error('No button')
      const [box, value] = [await boxOf(button), await boxOf(button.locator('xpath=../span'))]
      expect(Math.abs(box.y + box.height / 2 - (value.y + value.height / 2))).toBeLessThan(1.5)
    }
  }
})

test('the payment plans fill the page as the users do', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/admin', { as: await addPerson('admin', server) })
  const users = await boxOf(page.getByRole('region', { name: 'All Users' }))
  await page.goto('/admin/update-payment')
  const plan = page.getByRole('region', { name: 'Crypto Payment Plan' })
  expect((await boxOf(plan)).right).toBe(users.right)
})
