// Journeys of admins who act side by side, and of who reads the log of it.
import { expect } from '@playwright/test'
import { addPerson, addRequest, callerAs } from './harness/people.ts'
import { rowOf, see, seeNoMore } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

const tooLate = 'This is not possible any more, because the status has changed. Please reload.'

test.describe('two admins with the same request on their screens', () => {
  test('one accepts; the other, who declines, reads that it is too late and sees what it is now', async ({ open }) => {
    const buyer = await addRequest()
    const path = `/admin?search=${buyer.email}`
    const { page: first } = await open(path, { as: await addPerson('admin') })
    const { page: second } = await open(path, { as: await addPerson('admin') })
    const decline = rowOf(second, buyer.email).getByRole('button', { name: 'Decline Asha Rao' })
    await decline.waitFor()
    await rowOf(first, buyer.email).getByRole('button', { name: 'Accept Asha Rao' }).click()
    await see(first, 'Subscription accepted')

    const [answer] = await Promise.all([
      second.waitForResponse((response) => response.url().endsWith('/api/v1/admin/userstatus')),
      decline.click(),
    ])
    expect(answer.status()).toBe(409)
    await see(second, tooLate)
    // The list is read again by itself, and the paid subscription is untouched.
    await rowOf(second, buyer.email).getByRole('button', { name: 'Suspend Asha Rao' }).waitFor()
    await rowOf(second, buyer.email).getByText('paid', { exact: true }).waitFor()
    await decline.waitFor({ state: 'hidden' })
  })

  test('one declines; the other, who accepts in the list of requests, reads that it is too late', async ({ open }) => {
    const buyer = await addRequest()
    const { page: first } = await open('/admin/user-req', { as: await addPerson('admin') })
    const { page: second } = await open('/admin/user-req', { as: await addPerson('admin') })
    const accept = rowOf(second, buyer.email).getByRole('button', { name: 'Accept Asha Rao' })
    await accept.waitFor()
    await rowOf(first, buyer.email).getByRole('button', { name: 'Decline Asha Rao' }).click()
    await see(first, 'Request declined')
    await accept.click()
    await see(second, tooLate)
    await seeNoMore(second, buyer.email)
    await second.goto(`/admin?search=${buyer.email}`)
    await rowOf(second, buyer.email).getByText('cancel', { exact: true }).waitFor()
  })
})

test.describe('the audit log', () => {
  test('shows fifty acts and brings the older ones with Load more', async ({ open }) => {
    const [admin, person] = [await addPerson('admin'), await addPerson('premium')]
    const call = await callerAs(admin)
    for (let months = 2; months <= 53; months += 1) await call('POST', '/admin/change-sub-months', { email: person.email, months })
    const { page } = await open(`/admin/audit?search=${person.email}`, { as: admin })
    const acts = rowOf(page, person.email)
    await expectEventually(() => acts.count()).toBe(50)
    expect(await acts.first().textContent()).toContain('months 52 → 53')
    expect(await acts.last().textContent()).toContain('months 3 → 4')
    const more = page.getByRole('button', { name: 'Load more' })
    await more.click()
    await expectEventually(() => acts.count()).toBe(52)
    expect(await acts.first().textContent()).toContain('months 52 → 53')
    expect(await acts.last().textContent()).toContain('months 1 → 2')
    await more.waitFor({ state: 'hidden' })
  })
})
