// A forgotten password: request the link, read the mail in the outbox of a development server, set the new password.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, password, signInByApi, type Person } from './harness/people.ts'
import { arriveAt, lookAgain, press, see } from './harness/see.ts'
import { startServer, testSettings, type ServerProcess } from './harness/server-process.ts'
import { expectEventually, taggedSizes, test } from './harness/test.ts'
import { world } from './harness/world.ts'

// One server with an outbox serves all of these tests.
test.describe.configure({ mode: 'default' })

const newPassword = 'Elaichi-Lassi-77'

let server: ServerProcess
test.beforeAll(async () => {
  server = await startServer({ DATABASE_URL: world().databaseUrl, ...testSettings, NODE_ENV: 'development' })
})
test.afterAll(() => server.stop())

test('a user with a forgotten password sets a new one by a mailed link, once', async ({ open }) => {
  const person = await addPerson('free')
  const at = { origin: server.origin }
  const { page: elsewhere } = await open('/', { ...at, as: person })
  await see(elsewhere, person.email)

  const { page } = await open('/login', at)
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByRole('link', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Reset your password by email' }).waitFor()
  // The typed email is prefilled.
  expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(person.email)
  await page.getByRole('textbox', { name: 'Email' }).fill('')
  await press(page, 'Email me a link')
  await see(page, 'Please fill in all required fields')
  await page.getByRole('textbox', { name: 'Email' }).fill('asha')
  await press(page, 'Email me a link')
  await see(page, 'Please enter a valid email address')
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await press(page, 'Email me a link')
  await see(page, 'If there is an account with this email, a link is on its way')

  const { page: mails } = await open('/dev/outbox', at)
  const link = linkFor(mails, person)
  await waitForMail(mails, person)
  const address = (await link.getAttribute('href')) ?? ''
  expect(address).toMatch(new RegExp(`^${server.origin}/reset-password#token=[\\w-]{43}$`))
  await link.click()

  const form = mails.getByRole('form', { name: 'Choose a new password' })
  await form.waitFor()
  // Neither history nor a copied address contains the token.
  await expectEventually(() => mails.url()).toBe(`${server.origin}/reset-password`)
  await choosePassword(mails, newPassword, 'another')
  await see(mails, 'Passwords do not match')
  await choosePassword(mails, 'short', 'short')
  await see(mails, 'Password must be at least 6 characters long')
  await choosePassword(mails, newPassword, newPassword)
  await see(mails, 'Password updated successfully')
  await arriveAt(mails, '/login')

  await expect(signInByApi(person)).rejects.toThrow('Invalid email or password')
  await lookAgain(elsewhere)
  const ended = elsewhere.getByRole('dialog', { name: 'Your session has ended. Sign in again', exact: true })
  await ended.getByLabel('Password', { exact: true }).fill(newPassword)
  await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ended.waitFor({ state: 'detached' })
  await see(elsewhere, 'Free User')
  await mails.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await mails.getByLabel('Password', { exact: true }).fill(newPassword)
  await press(mails, 'Sign in to Dashboard')
  await see(mails, 'Free User')

  const { page: again } = await open(address.slice(server.origin.length), at)
  await choosePassword(again, 'Third-Chai-99', 'Third-Chai-99')
  await see(again, 'This link has expired or was used already. Please ask for a new one.')
  await signInByApi({ ...person, password: newPassword })
})

test('a stranger gets the same response and no mail', async ({ open }) => {
  const at = { origin: server.origin }
  const stranger = { email: 'nobody-at-all@example.in', password }
  const { page } = await open('/login?mode=password-link', at)
  await page.getByRole('textbox', { name: 'Email' }).fill(stranger.email)
  await press(page, 'Email me a link')
  await see(page, 'If there is an account with this email, a link is on its way')
  // The next mail is there, so an earlier one would be too.
  const person = await addPerson('free')
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await press(page, 'Email me a link')
  const { page: mails } = await open('/dev/outbox', at)
  await waitForMail(mails, person)
  expect(await linkFor(mails, stranger).count()).toBe(0)
})

test('without a mail server there is neither link nor outbox', async ({ open }) => {
  const { page } = await open('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
  expect(await page.getByRole('link', { name: 'Email me a link' }).count()).toBe(0)
  await page.goto('/dev/outbox')
  await see(page, /^404/)
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`at ${name}`, details, () => {
    test('the form, the outbox and the new password are accessible', async ({ open }) => {
      const person = await addPerson('free')
      const at = { origin: server.origin, size }
      const { page } = await open('/login?mode=password-link', at)
      await press(page, 'Email me a link')
      await see(page, 'Please fill in all required fields')
      await expectAccessible(page)
      await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
      await press(page, 'Email me a link')
      await see(page, 'If there is an account with this email, a link is on its way')
      await expectAccessible(page)
      const { page: mails } = await open('/dev/outbox', at)
      await waitForMail(mails, person)
      await expectAccessible(mails)
      await linkFor(mails, person).click()
      await choosePassword(mails, '', '')
      await see(mails, 'Please fill in all fields')
      await expectAccessible(mails)
    })
  })
}

function linkFor(mails: Page, person: Person) {
  return mails.getByRole('article').filter({ hasText: person.email }).getByRole('link')
}

/** The page does not update itself, so it is reloaded until the mail is there. */
async function waitForMail(mails: Page, person: Person): Promise<void> {
  await expectEventually(async () => {
    await mails.reload()
    return linkFor(mails, person).count()
  }).toBe(1)
}

async function choosePassword(page: Page, first: string, second: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Choose a new password' })
  await form.getByLabel('New password', { exact: true }).fill(first)
  await form.getByLabel('Confirm new password', { exact: true }).fill(second)
  await form.getByRole('button', { name: 'Save new password' }).click()
}
