// Journeys on the account page: the own password, the own sessions, and what happened to the own subscription.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, addRequest, callAs, password, signInByApi } from './harness/people.ts'
import { lookAgain, press, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, sizes, test } from './harness/test.ts'

const newPassword = 'Elaichi-Lassi-77'

test.describe('a signed-in user', () => {
  test('changes the own password, which ends the other sessions and not this one', async ({ open }) => {
    const person = await addPerson('free')
    const { page: elsewhere } = await open('/', { as: person })
    await see(elsewhere, person.email)
    const { page } = await open('/account', { as: person })
    await changePassword(page, '', '', '')
    await see(page, 'Please fill in all fields')
    await changePassword(page, password, newPassword, 'another')
    await see(page, 'Passwords do not match')
    await changePassword(page, password, 'short', 'short')
    await see(page, 'Password must be at least 6 characters long')
    await changePassword(page, 'not-the-one', newPassword, newPassword)
    await see(page, 'The password is wrong')
    await changePassword(page, password, newPassword, newPassword)
    await see(page, 'Password updated successfully')
    await lookAgain(elsewhere)
    await elsewhere.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.reload()
    await see(page, person.email)
    await expect(signInByApi(person)).rejects.toThrow('Invalid email or password')
    await signInByApi({ ...person, password: newPassword })
  })

  test('ends another session', async ({ open }) => {
    const person = await addPerson('free')
    const { page: elsewhere } = await open('/', { as: person })
    await see(elsewhere, person.email)
    const { page } = await open('/account', { as: person })
    await see(page, 'This session')
    const end = page.getByRole('button', { name: /^End the session of / })
    await expectEventually(() => end.count()).toBe(1)
    await end.click()
    await see(page, 'Session ended')
    await expectEventually(() => end.count()).toBe(0)
    await lookAgain(elsewhere)
    await elsewhere.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await see(page, 'This session')
  })

  test('reads the own history, without the name of who decided', async ({ open }) => {
    const person = await addPerson('premium')
    const admin = await addPerson('admin')
    await callAs(admin, 'POST', '/admin/change-sub-months', { email: person.email, months: 4 })
    const { page } = await open('/account', { as: person })
    const row = page.getByRole('table', { name: 'Changes of your subscription' }).getByRole('row').filter({ hasText: 'Months changed' })
    await row.getByText('4 months', { exact: true }).waitFor()
    await row.getByText('Support', { exact: true }).waitFor()
    expect(await page.getByText(admin.email).count()).toBe(0)
  })

  test('who never asked reads that nothing has happened, and finds the way to premium', async ({ open }) => {
    const { page } = await open('/account', { as: await addPerson('free') })
    await see(page, 'Nothing has happened yet. Your requests and the decisions on them will stand here.')
    await press(page, 'See Premium')
    await page.getByRole('dialog', { name: 'Premium Subscription' }).waitFor()
  })

  test('whose premium has run out meanwhile is shown as a free user', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/eur-usd', { as: person })
    await see(page, 'Premium User')
    await sql(`update users set premium_end = now() - interval '1 second' where email = $1`, [person.email])
    await lookAgain(page)
    await see(page, 'Your premium access has ended')
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
  })
})

for (const [name, size] of sizes) {
  test.describe(`at ${name}`, () => {
    test('the account page is accessible', async ({ open }) => {
      const person = await addPerson('premium')
      await callAs(await addPerson('admin'), 'POST', '/admin/change-sub-months', { email: person.email, months: 4 })
      const { page } = await open('/account', { as: person, size })
      await see(page, 'Months changed')
      await see(page, 'This session')
      await expectAccessible(page)
      await press(page, 'Change password')
      await see(page, 'Please fill in all fields')
      await expectAccessible(page)
    })

    test('while a request waits the account page says so, offers no second purchase and is accessible', async ({ open }) => {
      const { page } = await open('/account', { as: await addRequest(), size })
      const subscription = page.getByRole('region', { name: 'Subscription', exact: true })
      await subscription.getByRole('heading', { name: 'Request Pending' }).waitFor()
      await subscription.getByText('Your subscription request is being processed. Please wait for approval.', { exact: true }).waitFor()
      await subscription.getByText('Free User', { exact: true }).waitFor()
      await subscription.getByText('UPI', { exact: true }).waitFor()
      expect(await subscription.getByText(/^Your reference \d{12}$/).count()).toBe(1)
      expect(await subscription.getByRole('button').count()).toBe(0)
      await see(page, 'This session')
      await expectAccessible(page)
    })
  })
}

async function changePassword(page: Page, current: string, first: string, second: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByLabel('Current password', { exact: true }).fill(current)
  await form.getByLabel('New password', { exact: true }).fill(first)
  await form.getByLabel('Confirm new password', { exact: true }).fill(second)
  await form.getByRole('button', { name: 'Change password' }).click()
}
