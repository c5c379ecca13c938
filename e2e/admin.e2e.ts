// The admin area: accessibility, phones, exports, presence, the audit log and sign-out.
import { buffer } from 'node:stream/consumers'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addCrowd, addPerson, addRequest } from './harness/people.ts'
import { arriveAt, confirmSuspension, press, rowOf, see } from './harness/see.ts'
import { expectEventually, phone, sizes, test } from './harness/test.ts'

const newPassword = 'Elaichi-Lassi-77'

test.describe('All Users', () => {
  test('exports the filtered users as a CSV file', async ({ open }) => {
    const crowd = await addCrowd(20)
    const { page } = await open(`/admin?search=${crowd}&sort=asc&from=2025-01-05&to=2025-01-09`, { as: await addPerson('admin') })
    await see(page, '1–5 of 5 users')
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')])
    expect(download.suggestedFilename()).toBe('users.csv')
    const file = await buffer(await download.createReadStream())
    const [head, ...lines] = file.toString('utf8').trimEnd().split('\r\n')
    // The byte order mark tells spreadsheets that it is UTF-8.
    expect(head).toBe('\uFEFFName,Email,Phone,Premium,Status,Premium start,Months,Premium end,Payment type,UTR no')
    expect(lines.map((line) => line.split(',')[0])).toEqual(numbered(crowd, 5, 9))
  })
})

test.describe('Requested Users', () => {
  test('shows who is online, updated at each Refresh', async ({ open }) => {
    const { page } = await open('/admin/user-req', { as: await addPerson('admin') })
    const online = page.getByRole('region', { name: /^Online Users/ })
    const person = await addPerson('free')
    await online.getByRole('button', { name: 'Refresh' }).waitFor()
    expect(await online.getByText(person.email).count()).toBe(0)
    const { page: theirs } = await open('/', { as: person })
    await see(theirs, person.email)
    await expectEventually(async () => {
      await online.getByRole('button', { name: 'Refresh' }).click()
      return online.getByText(person.email, { exact: true }).count()
    }).toBe(1)
    await theirs.close({ runBeforeUnload: true })
    await expectEventually(async () => {
      await online.getByRole('button', { name: 'Refresh' }).click()
      return online.getByText(person.email, { exact: true }).count()
    }).toBe(0)
  })
})

test.describe('an admin', () => {
  test('reads own actions in the log, changes the own password, and signs out', async ({ open }) => {
    const [admin, person] = [await addPerson('admin'), await addPerson('premium')]
    const { page } = await open(`/admin?search=${person.email}`, { as: admin })
    await rowOf(page, person.email).getByRole('button', { name: 'Suspend Asha Rao' }).click()
    await confirmSuspension(page)
    await see(page, 'Subscription suspended')
    await rowOf(page, person.email).getByRole('button', { name: 'Reset password of Asha Rao' }).click()
    await changePassword(page.getByRole('dialog', { name: 'Change Password' }), newPassword, newPassword)
    await see(page, 'Password updated successfully')

    await page.getByRole('link', { name: 'Audit Log' }).click()
    await arriveAt(page, '/admin/audit')
    // The previous screen remains until this one is loaded, and has its own search.
    await page.getByRole('searchbox', { name: 'Target' }).fill(person.email)
    const acts = rowOf(page, person.email).filter({ hasText: admin.email })
    await expectEventually(() => acts.count()).toBe(2)
    expect(await acts.first().textContent()).toContain('set a temporary password for Asha Rao')
    expect(await acts.first().textContent()).toContain('127.0.0.1')
    expect(await acts.first().textContent()).not.toContain(newPassword)
    await expectEventually(() => paramsOf(page)).toEqual({ target: person.email })

    await page.getByRole('link', { name: 'Reset Password' }).click()
    const form = page.getByRole('main')
    await form.getByLabel('Current password', { exact: true }).fill(admin.password)
    await changePassword(form, newPassword, newPassword)
    await see(page, 'Password updated successfully')

    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.goto('/admin')
    await see(page, /^403/)
  })
})

test('the message with an Undo waits as long as the keyboard is in it, and its Undo works then', { tag: '@slow' }, async ({ open }) => {
  const person = await addPerson('premium')
  const { page } = await open(`/admin?search=${person.email}`, {
    as: await addPerson('admin'),
    before: (fresh) => fresh.clock.install(),
  })
  await rowOf(page, person.email).getByRole('button', { name: 'Suspend Asha Rao' }).click()
  await confirmSuspension(page)
  const message = page.getByRole('dialog').filter({ hasText: 'Subscription suspended' })
  await message.waitFor()
  await page.keyboard.press('F6')
  const undo = message.getByRole('button', { name: 'Undo' })
  await expectEventually(async () => (await page.keyboard.press('Tab'), undo.evaluate((it) => it === document.activeElement))).toBe(true)
  await page.clock.runFor(30_000)
  await expect(undo).toBeFocused()
  await expect(undo).toBeInViewport()
  await page.keyboard.press('Enter')
  await see(page, 'Undone. Everything is as it was before.')
  await message.waitFor({ state: 'detached' })
})

const screens = [
  ['All Users', '/admin', (page: Page) => see(page, 'Expiring in 7 days')],
  ['Requested Users', '/admin/user-req', (page: Page) => page.getByRole('button', { name: 'Accept Asha Rao' }).first().waitFor()],
  ['Reset Password', '/admin/reset-password', (page: Page) => page.getByLabel('New password', { exact: true }).waitFor()],
  ['Audit Log', '/admin/audit', (page: Page) => see(page, 'What admins did, newest first. Entries cannot be changed.')],
] as const

for (const [name, size] of sizes) {
  test.describe(`at ${name}`, () => {
    for (const [title, path, ready] of screens) {
      test(`${title} is accessible`, async ({ open }) => {
        await addCrowd(14)
        await addRequest()
        const { page } = await open(path, { as: await addPerson('admin'), size })
        await ready(page)
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
      })
    }

    test('the dialogs of All Users are accessible', async ({ open }) => {
      const person = await addPerson('premium')
      const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin'), size })
      for (const [button, title, content] of [
        ['Reset password of Asha Rao', 'Change Password', /^This password is temporary/],
        ['Change subscription months of Asha Rao', 'Change Subscription Months', /^Premium (ends|will end) on/],
        ['History of Asha Rao', 'Subscription history', 'No activity yet.'],
        ['Suspend Asha Rao', 'Suspend Asha Rao?', /^Asha Rao loses premium now/],
      ] as const) {
        await press(page, button)
        const dialog = page.getByRole('dialog', { name: title }).or(page.getByRole('alertdialog', { name: title }))
        await dialog.getByText(content).waitFor()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }
    })
  })
}

test('on a phone the pages open from a sheet, and each user is a card with the same actions', async ({ open }) => {
  const person = await addPerson('premium')
  const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin'), size: phone })
  const card = page.getByRole('listitem').filter({ hasText: person.email })
  await card.getByRole('button', { name: 'Suspend Asha Rao' }).click()
  await confirmSuspension(page)
  await see(page, 'Subscription suspended')
  await press(page, 'Menu')
  const sheet = page.getByRole('dialog', { name: 'Admin' })
  await sheet.waitFor()
  await expectAccessible(page)
  await sheet.getByRole('link', { name: 'Update Payment' }).click()
  await arriveAt(page, '/admin/update-payment')
  await sheet.waitFor({ state: 'hidden' })
})

async function changePassword(form: Locator, first: string, second: string): Promise<void> {
  await form.getByLabel('New password', { exact: true }).fill(first)
  await form.getByLabel('Confirm password', { exact: true }).fill(second)
  await form.getByRole('button', { name: 'Change Password' }).click()
}

function numbered(crowd: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${crowd} ${String(from + index).padStart(2, '0')}`)
}

function paramsOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams)
}
