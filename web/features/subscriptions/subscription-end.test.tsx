// The end of premium: expired, suspended and declined are told apart, and renewing takes one click.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { dayMs } from '#shared/base/durations.ts'
import { subscriptionEndText as text } from '#shared/subscriptions/text/en-status.ts'
import { makeUser } from '#shared/testing/user.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { makePlan } from '#web/testing/factories.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAccountPage, answerAdminPages, answerCharts } from '#web/testing/screens.ts'

const ended = '2026-11-12T06:30:00.000Z'
const former = (reason: NonNullable<User['reason']>, change: Partial<User> = {}) =>
  makeUser('premium', { isPremium: false, status: 'cancel', reason, premiumEndDate: ended, ...change })
const endingIn = (days: number, change: Partial<User> = {}) =>
  makeUser('premium', { premiumEndDate: new Date(Date.now() + days * dayMs).toISOString(), ...change })

const cases = [
  ['expired', 'It ended on 12 Nov 2026. Renew to open all charts again.', 'Renew'],
  ['suspended', 'Your premium access was ended on 12 Nov 2026. Ask support before you pay again.', 'See Premium'],
  ['declined', 'Your payment could not be confirmed. Check the reference, or ask support if this is a mistake.', 'See Premium'],
] as const

function answerPlans(): void {
  server.on(api.plans.list, () => ({ success: true, data: [makePlan('regular'), makePlan('crypto')] }))
}

function openCharts(user: User): Page {
  answerCharts()
  answerPlans()
  return openPage('/eur-usd', { as: user })
}

describe('an ended subscription', () => {
  test.each(cases)('that is %s is named on the account page and in the dialog', async (reason, note, button) => {
    answerAccountPage()
    answerPlans()
    const page = openPage('/account', { as: former(reason) })
    await page.find('heading', text.titles[reason])
    await page.see(note)
    await page.see(reason)
    await page.press(button)
    const dialog = await page.find('dialog', 'Premium Subscription')
    await page.find('heading', text.titles[reason], dialog)
    await page.see(note, dialog)
  })

  test.each(cases)('that is %s is hinted at in the header', async (reason) => {
    const page = openCharts(former(reason))
    const header = await page.find('banner')
    await page.see('Free User', header)
    await page.see(reason, header)
  })

  test.each(cases)('that is %s is told apart in the table of the admin', async (reason) => {
    answerAdminPages()
    server.on(api.admin.users, () => [former(reason)])
    const page = openPage('/admin', { as: 'admin' })
    await page.see(reason, await page.find('cell', `cancel ${reason}`))
  })
})

describe('the first screen', () => {
  test('shows a buyer whose request is checked its state, the request and the way to support', async () => {
    const page = openCharts(makeUser('pending'))
    const line = await page.see('Request Pending')
    const banner = line.closest('output') ?? undefined
    await page.see('Your subscription request is being processed. Please wait for approval.', banner)
    expect((await page.find('link', 'Support', banner)).getAttribute('href')).toBe('https://t.me/tezi_support')
    expect(page.all('button', 'Close', banner)).toEqual([])
    await page.press('See request', banner)
    await page.see('412345678901', await page.find('dialog', 'Premium Subscription'))
  })

  test.each([
    ['suspended', 'Your subscription is suspended', 'Your premium access was ended on 12 Nov 2026. Ask support before you pay again.'],
    ['declined', 'Your request was declined', /^Your payment could not be confirmed\./],
  ] as const)('shows who is %s why, and the way to support, until the line is closed', async (reason, sentence, note) => {
    const page = openCharts(former(reason))
    const banner = (await page.see(sentence)).closest('output') ?? undefined
    await page.see(note, banner)
    await page.find('link', 'Support', banner)
    await page.press('Close', banner)
    await page.seeNoMore(sentence)
  })
})

describe('renewing', () => {
  test.each([
    ['upi', /Regular/],
    ['crypto', /Crypto/],
  ] as const)('takes one click after the end and begins with the last plan (%s)', async (paymentType, plan) => {
    const page = openCharts(former('expired', { paymentType }))
    await page.see('Your premium ended on 12 Nov 2026.')
    await page.press('Renew')
    const dialog = await page.find('dialog', 'Premium Subscription')
    expect(((await page.find('radio', plan, dialog)) as HTMLInputElement).checked).toBe(true)
  })

  test('is offered in the last seven days, until the line is closed for this end', async () => {
    const user = endingIn(5)
    const page = openCharts(user)
    const line = `Your premium ends on ${indiaDate(user.premiumEndDate)}.`
    const banner = (await page.see(line)).closest('output') ?? undefined
    await page.find('button', 'Renew', banner)
    await page.press('Close', banner)
    await page.seeNoMore(line)
    expect(localStorage.getItem('subscription-banner.closed')).toBe(line)
  })

  test.each([
    ['with more than seven days left', endingIn(8)],
    ['while a renewal is pending', endingIn(3, { status: 'pending' })],
    ['after a suspension', former('suspended')],
  ])('is not offered %s', async (_, user) => {
    const page = openCharts(user)
    await page.find('button', user.isPremium ? 'Settings' : 'Premium Chart', await page.find('banner'))
    expect(page.all('button', 'Renew')).toEqual([])
  })
})
