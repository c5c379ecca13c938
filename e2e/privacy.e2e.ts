// Own data: consent at sign-up and after, withdrawal, export, erasure, a temporary password.
import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, agree, callAs, password, signInByApi, signUpByApi } from './harness/people.ts'
import { arriveAt, press, see, seeNoMore } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, taggedSizes, test } from './harness/test.ts'
import { noticeVersion } from '../shared/privacy/notice-version.ts'

const given = 'Monsoon-Rain-77'
const own = 'Elaichi-Lassi-77'

const noticeDay = new Date(noticeVersion).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })

test.describe('a visitor', () => {
  test('finds the privacy notice from the landing page and from the login screen', async ({ open }) => {
    const { page } = await open('/')
    await page.getByRole('link', { name: 'Privacy', exact: true }).click()
    await page.getByRole('heading', { name: 'Privacy notice' }).waitFor()
    await see(page, 'Notice of 25 Nov 2026')
    await see(page, 'To find your payment, and for the books')
    await see(page, 'Drawings on the charts, and what you write there')
    await see(page, /^Workspace: favourites, layouts,/)
    expect(await page.getByRole('link', { name: 'Write to support' }).getAttribute('href')).toBe('https://t.me/tezi_support')
    await page.goto('/login')
    await page.getByRole('link', { name: 'Privacy notice', exact: true }).click()
    await arriveAt(page, '/privacy')
  })

  test('signs up only of age and with consent, by two initially empty boxes, after the rules of the form', async ({ open }) => {
    const { page } = await open('/login?mode=sign-up')
    const email = `asha-${randomUUID().slice(0, 8)}@example.in`
    const [adult, agreed] = [
      page.getByLabel('I am 18 or older.'),
      page.getByLabel('I agree that my data is used as the privacy notice says.'),
    ]
    expect([await adult.isChecked(), await agreed.isChecked()]).toEqual([false, false])
    await page.getByLabel('Full name').fill('Asha Rao')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone').fill('98765')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill(password)
    await press(page, 'Create Account')
    await page.getByText('Phone number must be 10 digits', { exact: true }).first().waitFor()
    expect(await page.getByText('Please confirm that you are 18 or older').count()).toBe(0)
    await page.getByLabel('Phone').fill('9876543210')
    await press(page, 'Create Account')
    await see(page, 'Please confirm that you are 18 or older')
    await adult.check()
    await seeNoMore(page, 'Please confirm that you are 18 or older')
    await press(page, 'Create Account')
    await see(page, 'Please read the privacy notice and agree to it')
    await expectAccessible(page)
    await agreed.check()
    await press(page, 'Create Account')
    await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
    const { page: account } = await open('/account', { as: { email, password } })
    await see(account, new RegExp(String.raw`^You agreed to the notice of ${noticeDay} on \d\d \w{3} \d{4}\.`))
  })
})

test.describe('a user without a recorded consent', () => {
  test('is reminded, may postpone it, and agrees on the account page', async ({ open }) => {
    const person = { email: `ravi-${randomUUID().slice(0, 8)}@example.in`, password }
    await signUpByApi(person.email, 'Ravi')
    const { page } = await open('/', { as: person })
    const banner = page.getByRole('region', { name: 'Your consent' })
    await banner.getByRole('button', { name: 'Not now' }).click()
    await banner.waitFor({ state: 'hidden' })
    await page.reload()
    await see(page, person.email)
    await banner.waitFor()
    const [line, header] = [await banner.boundingBox(), await page.getByRole('banner').boundingBox()]
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(header?.y ?? 0)
    await expectAccessible(page)
    await banner.getByRole('link', { name: 'Review' }).click()
    await arriveAt(page, '/account')
    await press(page, 'Agree')
    await see(page, 'Please confirm that you are 18 or older')
    await agree(page)
    await press(page, 'Agree')
    await see(page, 'Your consent is recorded')
    await press(page, 'Withdraw consent')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await page.goto('/')
    await see(page, person.email)
    expect(await banner.count()).toBe(0)
  })
})

test.describe('a signed-in user', () => {
  test('withdraws consent by one click and a confirmation, cannot open the charts, and agrees again', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/account', { as: person })
    await press(page, 'Withdraw consent')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw consent' }).click()
    await see(page, 'Your consent is withdrawn')
    await see(page, /^You have withdrawn your consent\. Charts and premium are closed, and your account is erased on \d\d \w{3} \d{4}/)
    await expectAccessible(page)
    await page.goto('/eur-usd')
    await arriveAt(page, '/account')
    await agree(page)
    await press(page, 'Agree')
    await see(page, 'Your consent is recorded')
    await page.getByRole('link', { name: 'Go to charts' }).click()
    await see(page, 'Premium User')
  })

  test('downloads everything that is stored', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/account', { as: person })
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download my data')])
    expect(file.suggestedFilename()).toBe('my-data.json')
    const data = (await json(await file.createReadStream())) as { account: { email: string }; sessions: unknown[] }
    expect(data.account.email).toBe(person.email)
    expect(data.sessions.length).toBeGreaterThan(0)
  })

  test('erases the account with the password, is signed out everywhere, and cannot sign in any more', async ({ open }) => {
    const person = await addPerson('premium')
    const { page: elsewhere } = await open('/', { as: person })
    await see(elsewhere, person.email)
    const { page } = await open('/account', { as: person })
    // As if the server had been unreachable when something was drawn.
    await page.evaluate((email) => localStorage.setItem(`drawings.${email}.nifty`, 'not saved yet'), person.email)
    await press(page, 'Erase account')
    const dialog = page.getByRole('dialog', { name: 'Erase your account?' })
    await dialog.getByRole('button', { name: 'Erase account' }).click()
    await see(page, 'Please enter your password')
    await expectAccessible(page)
    await dialog.getByLabel('Your password', { exact: true }).fill('not-the-one')
    await dialog.getByRole('button', { name: 'Erase account' }).click()
    await see(page, 'The password is wrong')
    await dialog.getByLabel('Your password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Erase account' }).click()
    await see(page, 'Your account is erased')
    await arriveAt(page, '/login')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
    await elsewhere.evaluate(() => window.dispatchEvent(new Event('focus')))
    const ended = elsewhere.getByRole('dialog', { name: 'Your session has ended. Sign in again', exact: true })
    await ended.getByRole('button', { name: 'Use another account', exact: true }).click()
    await arriveAt(elsewhere, '/login')
    await expect(signInByApi(person)).rejects.toThrow('Invalid email or password')
  })

  test('has no name, email or id in any URL that the page requests, here or at the chart provider', async ({ open }) => {
    const person = await addPerson('premium')
    await sql(`update users set name = 'Unusual Name' where email = $1`, [person.email])
    const asked: string[] = []
    const { page, widget } = await open('/eur-usd', {
      as: person,
      before: (fresh) => {
        fresh.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
        return Promise.resolve()
      },
    })
    await see(page, person.email)
    await expectEventually(() => widget.loads()).toBeGreaterThan(0)
    await page.goto('/account')
    await see(page, 'This session')
    const id = await page.evaluate(async () => {
      const headers = { 'session-token': localStorage.getItem('sessionToken') ?? '' }
      return ((await (await fetch('/api/v1/user', { headers })).json()) as { _id: string })._id
    })
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(asked.some((address) => address.startsWith('https://www.tradingview-widget.com/'))).toBe(true)
    for (const address of asked.map((one) => decodeURIComponent(one)))
      for (const trace of [person.email, person.email.split('@')[0] ?? '', id, 'Unusual']) expect(address).not.toContain(trace)
  })
})

test.describe('with a password that an admin has set', () => {
  test('a user must choose a new one first', async ({ open }) => {
    const person = await addPerson('premium')
    await callAs(await addPerson('admin'), 'POST', '/auth/forgot-password', { email: person.email, newPassword: given })
    const { page } = await open('/login', { hasWidget: true })
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(given)
    await press(page, 'Sign in to Dashboard')
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await expectAccessible(page)
    await page.goto('/eur-usd')
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await choose(page, given, own, 'another')
    await see(page, 'Passwords do not match')
    await choose(page, 'not-the-one', own, own)
    await see(page, 'The password is wrong')
    await choose(page, given, own, own)
    await see(page, 'Password updated successfully')
    await see(page, 'Premium User')
    await signInByApi({ ...person, password: own })
  })
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`at ${name}`, details, () => {
    test('the notice and the personal data are accessible', async ({ open }) => {
      const { page } = await open('/privacy', { size })
      await page.getByRole('heading', { name: 'Your rights' }).waitFor()
      await expectAccessible(page)
      const { page: account } = await open('/account', { as: await addPerson('free'), size })
      await see(account, new RegExp(`^You agreed to the notice of ${noticeDay}`))
      await expectAccessible(account)
      await press(account, 'Erase account')
      await account.getByRole('dialog', { name: 'Erase your account?' }).waitFor()
      await expectAccessible(account)
    })
  })
}

async function choose(page: Page, current: string, first: string, second: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Choose your own password' })
  await form.getByLabel('Current password', { exact: true }).fill(current)
  await form.getByLabel('New password', { exact: true }).fill(first)
  await form.getByLabel('Confirm new password', { exact: true }).fill(second)
  await form.getByRole('button', { name: 'Save and continue' }).click()
}
