// Journeys in the admin area: finding users, setting passwords and months, who is online, the log, and the way out.
import { buffer } from 'node:stream/consumers'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addCrowd, addPerson, addRequest, signInByApi } from './harness/people.ts'
import { arriveAt, lookAgain, press, rowOf, see, seeNoMore } from './harness/see.ts'
import { expectEventually, phone, sizes, test } from './harness/test.ts'

const newPassword = 'Elaichi-Lassi-77'

test.describe('All Users', () => {
  test('searches, sorts and pages, thirteen at a time, and keeps all of it in the address', async ({ open }) => {
    const crowd = await addCrowd(40)
    const { page } = await open('/admin', { as: await addPerson('admin') })
    const search = page.getByRole('searchbox', { name: 'Search' })
    expect(await search.getAttribute('placeholder')).toBe('Search by name, email, UTR')
    await expectEventually(() => page.getByRole('columnheader').allTextContents()).toEqual(columnsOfSpec)
    await search.fill(crowd)
    await see(page, '1–13 of 40 users')
    await expectEventually(() => rowOf(page, crowd).count()).toBe(13)

    await page.getByRole('columnheader').getByRole('button', { name: 'Premium start' }).click()
    await expectEventually(() => namesOf(page, crowd)).toEqual(numbered(crowd, 1, 13))
    await press(page, 'Next')
    await see(page, '14–26 of 40 users')
    await expectEventually(() => namesOf(page, crowd)).toEqual(numbered(crowd, 14, 26))
    expect(await rowOf(page, crowd).first().getByRole('cell').first().textContent()).toBe('14')
    expect(paramsOf(page)).toEqual({ search: crowd, sort: 'asc', page: '2' })

    await page.reload()
    await see(page, '14–26 of 40 users')
    expect(await search.inputValue()).toBe(crowd)
    expect(await namesOf(page, crowd)).toEqual(numbered(crowd, 14, 26))
    const pages = page.getByRole('navigation', { name: 'Pages of the list' })
    await expectEventually(() => pages.getByRole('listitem').allTextContents()).toEqual(['1', '2', '3', '4'])
    await pages.getByRole('button', { name: 'Page 4' }).click()
    await see(page, '40–40 of 40 users')
    expect(await pages.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
    await press(page, 'Previous')
    await see(page, '27–39 of 40 users')

    // The order turns around and the list begins anew.
    await page.getByRole('columnheader').getByRole('button', { name: 'Premium start' }).click()
    await expectEventually(() => namesOf(page, crowd)).toEqual(numbered(crowd, 28, 40).toReversed())
    expect(paramsOf(page)).toEqual({ search: crowd, sort: 'desc' })
    await page.goBack()
    await see(page, '27–39 of 40 users')
  })

  test('finds users by any piece of name, email or UTR, and by the days on which premium began', async ({ open }) => {
    const crowd = await addCrowd(20)
    const { page } = await open('/admin', { as: await addPerson('admin') })
    const search = page.getByRole('searchbox', { name: 'Search' })
    const pieces = [
      [`${crowd.slice(3)} 07`, '07'],
      [`${crowd.toUpperCase()}-08@EXAMPLE`, '08'],
      [`${crowd.slice(5)}utr09`, '09'],
    ] as const
    for (const [piece, number] of pieces) {
      await search.fill(piece)
      await expectEventually(() => namesOf(page, crowd)).toEqual([`${crowd} ${number}`])
      await see(page, '1–1 of 1 user')
    }
    await search.fill(`${crowd} nobody`)
    await see(page, 'No user matches.')

    await search.fill(crowd)
    await see(page, '1–13 of 20 users')
    const clear = page.getByRole('button', { name: 'Clear', exact: true })
    expect(await clear.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Start date').fill('2025-01-05')
    await see(page, '1–13 of 16 users')
    await page.getByLabel('End date').fill('2025-01-09')
    await see(page, '1–5 of 5 users')
    expect((await namesOf(page, crowd)).toSorted()).toEqual(numbered(crowd, 5, 9))
    await page.reload()
    await see(page, '1–5 of 5 users')
    expect(await page.getByLabel('End date').inputValue()).toBe('2025-01-09')
    await clear.click()
    await see(page, '1–13 of 20 users')
    expect(await page.getByLabel('Start date').inputValue()).toBe('')
    expect(paramsOf(page)).toEqual({ search: crowd })
  })

  test('saves the users of the filter as a CSV file', async ({ open }) => {
    const crowd = await addCrowd(20)
    const { page } = await open(`/admin?search=${crowd}&sort=asc&from=2025-01-05&to=2025-01-09`, { as: await addPerson('admin') })
    await see(page, '1–5 of 5 users')
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')])
    expect(download.suggestedFilename()).toBe('users.csv')
    const file = await buffer(await download.createReadStream())
    const [head, ...lines] = file.toString('utf8').trimEnd().split('\r\n')
    // The mark at the start tells spreadsheets that it is UTF-8.
    expect(head).toBe('\uFEFFName,Email,Phone,Premium,Status,Premium start,Months,Premium end,Payment type,UTR no')
    expect(lines.map((line) => line.split(',')[0])).toEqual(numbered(crowd, 5, 9))
  })

  test('sets the password of a user, who is signed out elsewhere', async ({ open }) => {
    const person = await addPerson('free')
    const { page: elsewhere } = await open('/', { as: person })
    await see(elsewhere, person.email)
    const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin') })
    await rowOf(page, person.email).getByRole('button', { name: 'Reset password of Asha Rao' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Password' })
    expect(await dialog.getByLabel('Email').inputValue()).toBe(person.email)
    await changePassword(dialog, '', '')
    await see(page, 'Please fill all the fields')
    await changePassword(dialog, newPassword, 'another')
    await see(page, 'Passwords do not match')
    await changePassword(dialog, newPassword, newPassword)
    await see(page, 'Password updated successfully')
    await dialog.waitFor({ state: 'hidden' })

    await lookAgain(elsewhere)
    await seeNoMore(elsewhere, person.email)
    await elsewhere.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await expect(signInByApi(person)).rejects.toThrow('Invalid email or password')
    await signInByApi({ ...person, password: newPassword })
  })

  test('changes the months of a subscription, and the history tells it', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin') })
    const row = rowOf(page, person.email)
    const edit = row.getByRole('button', { name: 'Change subscription months of Asha Rao' })
    await edit.click()
    const dialog = page.getByRole('dialog', { name: 'Change Subscription Months' })
    for (const [typed, sentence] of [
      ['', 'Please enter the number of months'],
      ['0', 'Please enter a valid number greater than 0'],
      ['two', 'Please enter a valid number greater than 0'],
    ] as const) {
      await dialog.getByLabel('Months').fill(typed)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(sentence, { exact: true }).waitFor()
    }
    await dialog.getByLabel('Months').fill('7')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(page, 'Subscription months updated successfully')
    await row.getByRole('cell', { name: /^7/ }).waitFor()

    await row.getByRole('button', { name: 'History of Asha Rao' }).click()
    const history = page.getByRole('dialog', { name: 'Subscription history' })
    await history.getByText('Months changed', { exact: true }).waitFor()
    await history.getByText('7', { exact: true }).waitFor()
  })

  test('offers to each status its own acts, and nothing to who never asked', async ({ open }) => {
    const [premium, free] = [await addPerson('premium'), await addPerson('free')]
    const { page } = await open(`/admin?search=${premium.email}`, { as: await addPerson('admin') })
    await rowOf(page, premium.email).getByRole('button', { name: 'Suspend Asha Rao' }).waitFor()
    expect(
      await rowOf(page, premium.email)
        .getByRole('button', { name: /^(Accept|Decline) / })
        .count(),
    ).toBe(0)
    await page.getByRole('searchbox', { name: 'Search' }).fill(free.email)
    await rowOf(page, free.email).getByText('Regular', { exact: true }).waitFor()
    expect(
      await rowOf(page, free.email)
        .getByRole('button', { name: /^(Accept|Decline|Suspend) / })
        .count(),
    ).toBe(0)
  })
})

test.describe('Requested Users', () => {
  test('shows who is online, anew at each Refresh', async ({ open }) => {
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
  test('sets the own password, stays signed in here and nowhere else', async ({ open }) => {
    const admin = await addPerson('admin')
    const { page: elsewhere } = await open('/admin', { as: admin })
    await see(elsewhere, 'Expiring in 7 days')
    const { page } = await open('/admin/reset-password', { as: admin })
    expect(await page.getByLabel('Email').inputValue()).toBe(admin.email)
    const field = page.getByLabel('New password', { exact: true })
    // Readable at first, as specified.
    expect(await field.getAttribute('type')).toBe('text')
    const main = page.getByRole('main')
    await changePassword(main, newPassword, 'another')
    await see(page, 'Passwords do not match')
    await changePassword(main, 'short-one', 'short-one')
    await see(page, 'The password of an admin must be at least 12 characters long')
    expect(await field.inputValue()).toBe('')
    await changePassword(main, newPassword, newPassword)
    await see(page, 'Password updated successfully')
    await page.getByRole('link', { name: 'All Users' }).click()
    await see(page, 'Expiring in 7 days')
    await lookAgain(elsewhere)
    await seeNoMore(elsewhere, 'Expiring in 7 days')
  })

  test('reads own acts in the log, and signs out', async ({ open }) => {
    const [admin, person] = [await addPerson('admin'), await addPerson('premium')]
    const { page } = await open(`/admin?search=${person.email}`, { as: admin })
    await rowOf(page, person.email).getByRole('button', { name: 'Suspend Asha Rao' }).click()
    await see(page, 'Subscription suspended')
    await rowOf(page, person.email).getByRole('button', { name: 'Reset password of Asha Rao' }).click()
    await changePassword(page.getByRole('dialog', { name: 'Change Password' }), newPassword, newPassword)
    await see(page, 'Password updated successfully')

    await page.getByRole('link', { name: 'Audit Log' }).click()
    await arriveAt(page, '/admin/audit')
    // The screen before stays until this one is there, and has a search of its own.
    await page.getByPlaceholder('Search by person, act or target').fill(person.email)
    const acts = rowOf(page, person.email).filter({ hasText: admin.email })
    await expectEventually(() => acts.count()).toBe(2)
    expect(await acts.first().textContent()).toContain('Password reset')
    expect(await acts.first().textContent()).toContain('127.0.0.1')
    expect(await acts.first().textContent()).not.toContain(newPassword)
    await expectEventually(() => paramsOf(page)).toEqual({ search: person.email })

    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.goto('/admin')
    await see(page, /^403/)
  })
})

const screens = [
  ['All Users', '/admin', (page: Page) => see(page, 'Expiring in 7 days')],
  ['Requested Users', '/admin/user-req', (page: Page) => page.getByRole('button', { name: 'Accept Asha Rao' }).first().waitFor()],
  ['Reset Password', '/admin/reset-password', (page: Page) => page.getByLabel('New password', { exact: true }).waitFor()],
  ['Audit Log', '/admin/audit', (page: Page) => see(page, 'Every act of an admin, newest first. Entries cannot be changed.')],
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
      for (const [button, title] of [
        ['Reset password of Asha Rao', 'Change Password'],
        ['Change subscription months of Asha Rao', 'Change Subscription Months'],
        ['History of Asha Rao', 'Subscription history'],
      ] as const) {
        await press(page, button)
        const dialog = page.getByRole('dialog', { name: title })
        await dialog.waitFor()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }
    })
  })
}

test('on a phone the pages stand in a sheet, and each user is a card with the same acts', async ({ open }) => {
  const person = await addPerson('premium')
  const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin'), size: phone })
  const card = page.getByRole('listitem').filter({ hasText: person.email })
  await card.getByRole('button', { name: 'Suspend Asha Rao' }).click()
  await see(page, 'Subscription suspended')
  await press(page, 'Menu')
  const sheet = page.getByRole('dialog', { name: 'Admin' })
  await sheet.waitFor()
  await expectAccessible(page)
  await sheet.getByRole('link', { name: 'Update Payment' }).click()
  await arriveAt(page, '/admin/update-payment')
  await sheet.waitFor({ state: 'hidden' })
})

const columnsOfSpec = [
  'S.No',
  'Name',
  'Email',
  'Phone',
  'Premium',
  'Status',
  'Premium start',
  'Months',
  'Premium end',
  'Payment type',
  'UTR no',
  'Action',
]

async function changePassword(form: Locator, first: string, second: string): Promise<void> {
  await form.getByLabel('New password', { exact: true }).fill(first)
  await form.getByLabel('Confirm password', { exact: true }).fill(second)
  await form.getByRole('button', { name: 'Change Password' }).click()
}

function numbered(crowd: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${crowd} ${String(from + index).padStart(2, '0')}`)
}

/** Names on this page of the list, from the top. */
function namesOf(page: Page, crowd: string): Promise<string[]> {
  return rowOf(page, crowd)
    .getByRole('button', { name: /^History of / })
    .allTextContents()
}

function paramsOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams)
}
