// Journeys of an account: from the landing page through sign-up and sign-in to the shell, and out again.
import { randomUUID } from 'node:crypto'
import { expect, type Route } from '@playwright/test'
import { addPerson, agree, password } from './harness/people.ts'
import { arriveAt, press, see } from './harness/see.ts'
import { test } from './harness/test.ts'

test.describe('a visitor', () => {
  test('sees the landing page and finds the way to the login screen', async ({ open }) => {
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
  test('says what is missing or wrong, in the words of the rules', async ({ open }) => {
    const { page } = await open('/login')
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Please fill in all required fields')
    await page.getByLabel('Email').fill('asha')
    await page.getByLabel('Password', { exact: true }).fill('x')
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Please enter a valid email address')
    await page.getByLabel('Email').fill('nobody@example.in')
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Invalid email or password')
  })

  test('shows and hides the password, and leads to support when it is forgotten', async ({ open }) => {
    const { page } = await open('/login')
    const field = page.getByLabel('Password', { exact: true })
    await field.fill(password)
    expect(await field.getAttribute('type')).toBe('password')
    await press(page, 'Show password')
    expect(await field.getAttribute('type')).toBe('text')
    await press(page, 'Hide password')
    expect(await field.getAttribute('type')).toBe('password')
    expect(await page.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe('https://t.me/tezi_support')
  })

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

  test('says so when the server does not answer', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/login')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.route('**/api/v1/auth/sign-in', (route) => route.abort())
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Login failed. Please try again.')
  })

  test('says what it is doing while the server thinks', async ({ open }) => {
    const { page } = await open('/login?mode=sign-up')
    const waitsFor = (text: string) => async (route: Route) => {
      await page.getByRole('button', { name: text }).waitFor()
      await route.continue()
    }
    await page.route('**/api/v1/auth/sign-up', waitsFor('Creating account...'))
    await page.route('**/api/v1/auth/sign-in', waitsFor('Signing in...'))
    await page.getByLabel('Full name').fill('Asha Rao')
    await page.getByLabel('Email').fill(`asha-${randomUUID().slice(0, 8)}@example.in`)
    await page.getByLabel('Phone').fill('9876543210')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill(password)
    await agree(page)
    await press(page, 'Create Account')
    await see(page, 'Please log in with your new account')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Sign in to Dashboard')
    await see(page, 'Login successful')
  })
})

test.describe('a session', () => {
  test('goes on, with a word about it, when signing out fails', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/', { as: person })
    await see(page, person.email)
    await page.route('**/api/v1/auth/sign-out', (route) => route.abort())
    await press(page, 'Sign Out')
    await see(page, 'Failed to sign out. Please try again.')
    await see(page, person.email)
  })

  test('that cannot be loaded at the start leaves the landing page, and the reason only in the console', async ({ open, pageErrors }) => {
    const { page } = await open('/', {
      as: await addPerson('free'),
      before: async (fresh) => {
        await fresh.route('**/api/v1/user', (route) =>
          route.fulfill({ status: 500, json: { success: false, message: 'Broken', error: 'Broken' } }),
        )
      },
    })
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    expect(await page.getByText('Broken').count()).toBe(0)
    expect(pageErrors).toHaveLength(1)
    expect(pageErrors.pop()).toContain('The signed-in user could not be loaded')
  })
})
