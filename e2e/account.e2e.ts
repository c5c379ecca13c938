// The account page: an expired subscription, a pending request, and accessibility in both sizes.
import { expect } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, addRequest, callAs } from './harness/people.ts'
import { lookAgain, press, see } from './harness/see.ts'
import { sql } from './harness/sql.ts'
import { sizes, test } from './harness/test.ts'

test.describe('a signed-in user', () => {
  test('with premium that has ended meanwhile is shown as a free user', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/eur-usd', { as: person })
    await see(page, 'Premium User')
    await sql(`update users set premium_end = now() - interval '1 second' where email = $1`, [person.email])
    await lookAgain(page)
    await see(page, 'Your premium has expired')
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

    test('while a request is pending the account page says so, offers no second purchase and is accessible', async ({ open }) => {
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
