// An account from the landing page through sign-up and sign-in to the dashboard, and out again.
import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { addPerson, agree, password } from './harness/people.ts'
import { arriveAt, press, see } from './harness/see.ts'
import { test } from './harness/test.ts'

test.describe('a visitor', () => {
  test('sees the landing page and finds the way to the login screen [spec 2.2]', async ({ open }) => {
    const { page } = await open('/')
    for (const claim of ['5+', '1M+', '20+', '99.9%']) await page.getByText(claim).first().waitFor()
    await page.getByRole('link', { name: 'Start Analysis' }).first().click()
    await arriveAt(page, '/login')
    await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
  })

  test('creates an account, signs in with it, stays signed in over a reload and signs out to the landing page', async ({ open }) => {
    const { page } = await open('/login', { before: (fresh) => fresh.clock.install() })
    const email = `asha-${randomUUID().slice(0, 8)}@example.in`
    await page.getByRole('link', { name: 'Create an account' }).first().click()
    await page.getByLabel('Full name').fill('Asha Rao')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone').fill('98765 4321')
    await see(page, 'Phone number must be 10 digits')
    await page.getByLabel('Phone').fill('98765 43210 99')
    expect(await page.getByLabel('Phone').inputValue()).toBe('9876543210')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill(password)
    await agree(page)
    await press(page, 'Create Account')

    const submit = page.getByRole('button', { name: 'Sign in to Dashboard' })
    await submit.waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    expect(await page.getByText('Please log in with your new account').count()).toBe(0)
    await page.clock.runFor(1500)
    await see(page, 'Please log in with your new account')

    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.clock.pauseAt(Date.now() + 60_000)
    await submit.click()
    await see(page, 'Login successful')
    await page.clock.runFor(1400)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.clock.runFor(100)
    await arriveAt(page, '/')
    await page.clock.resume()
    await see(page, email)
    await see(page, 'Free User')

    await page.reload()
    await see(page, email)
    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    expect(await page.evaluate(() => localStorage.getItem('sessionToken'))).toBeNull()
    await page.reload()
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
  })
})

test.describe('the login screen', () => {
  test('works with the keyboard alone', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/login')
    const email = page.getByLabel('Email')
    await email.waitFor()
    await tabTo('Email')
    await page.keyboard.type(person.email)
    await tabTo('Password')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await see(page, person.email)

    async function tabTo(label: string): Promise<void> {
      const target = page.getByLabel(label, { exact: true })
      for (let steps = 0; steps < 12; steps += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${label} cannot be reached with the Tab key`)
    }
  })
})
