// Account page: details, sessions, subscription and history, and updates when the tab becomes visible.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { authServerText } from '#shared/auth/text/en.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { makeChange, makeSession } from '#web/testing/factories.ts'
import { eventually } from '#web/testing/eventually.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import { presenceStarted } from '#web/testing/presence-started.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage, type OpenOptions } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { textsOf } from '#web/testing/see.ts'

const internal = new AppError('internal', anySentence('Of the server'))

async function openAccount(as: OpenOptions['as']): Promise<Page> {
  answerAccountPage()
  const page = openPage('/account', as === undefined ? {} : { as })
  await page.find('heading', 'Account')
  return page
}

/** Text of the value with this label. */
async function valueOf(page: Page, name: string): Promise<string> {
  const term = await eventually(() => {
    const found = page.all('term').find((one) => one.textContent === name)
    if (found === undefined) throw new Error(`${name} is not on the page`)
    return found
  })
  return term.nextElementSibling?.textContent ?? ''
}

/** The tab becomes visible; without a live connection it reads its user. */
function lookAgain(): void {
  window.dispatchEvent(new Event('focus'))
}

describe('account page', () => {
  test('is for signed-in users only', async () => {
    const page = openPage('/account')
    await page.find('button', 'Sign in to Dashboard')
    expect(page.address()).toBe('/login')
  })

  test('shows the details and the subscription of a free user', async () => {
    const page = await openAccount('free')
    const names = [
      'Full name',
      'Email',
      'Phone',
      'Access',
      'Status',
      'Premium start',
      'Premium end',
      'Months',
      'Payment type',
      'UTR No. or Order ID',
    ]
    const values: string[] = []
    for (const name of names) values.push(await valueOf(page, name))
    expect(values).toEqual(['Asha Rao', 'free@example.in', '9876543210', 'Free User', '–', '–', '–', '–', 'N/A', 'N/A'])
    await page.find('button', 'See Premium')
  })

  test('shows the subscription of a premium user, and the way to renew it', async () => {
    const page = await openAccount('premium')
    const values: string[] = []
    for (const name of ['Access', 'Status', 'Premium start', 'Premium end', 'Months', 'Payment type'])
      values.push(await valueOf(page, name))
    expect(values).toEqual(['Premium User', 'paid', '01 Nov 2026', '15 Dec 2026', '1', 'UPI'])
    await page.find('button', 'Renew')
  })

  test('offers an admin, who has premium, nothing to buy', async () => {
    const page = await openAccount('admin')
    expect(await valueOf(page, 'Access')).toBe('Premium User')
    expect(page.all('button', /^(See Premium|Renew)$/)).toEqual([])
  })

  test('shows a pending request, and offers no second purchase', async () => {
    const page = await openAccount('pending')
    const subscription = await page.find('region', 'Subscription')
    await page.find('heading', 'Request Pending', subscription)
    await page.see('Your subscription request is being processed. Please wait for approval.', subscription)
    await page.see('Free User', subscription)
    await page.see('UPI', subscription)
    expect(subscription.textContent).toContain('Your reference 412345678901')
    expect(page.all('button', undefined, subscription)).toEqual([])
  })

  test('signs out to the sign-in form', async () => {
    const page = await openAccount('free')
    server.on(api.auth.signOut, () => ({ success: true, message: authServerText.signedOut }))
    await page.press('Sign Out')
    await page.find('button', 'Sign in to Dashboard')
    expect(server.calls(api.auth.signOut)).toMatchObject([{ body: { email: 'free@example.in' } }])
    expect(localStorage.getItem('sessionToken')).toBeNull()
  })
})

describe('subscription history', () => {
  test('shows a load error and can be retried', async () => {
    answerAccountPage()
    server.reject(api.subscriptions.ownHistory, internal)
    const page = openPage('/account', { as: 'free' })
    const alert = await page.find('alert')
    await page.see('Of the server', alert)
    server.on(api.subscriptions.ownHistory, () => ({ success: true, data: [] }))
    await page.press('Try again', alert)
    await page.see('No activity yet. Your requests and their status will appear here.')
  })

  test('lists every change, and who made it', async () => {
    answerAccountPage()
    server.on(api.subscriptions.ownHistory, () => ({
      success: true,
      data: [
        makeChange({ id: '3', command: 'months', actor: 'support', months: 4, at: '2026-11-22T03:35:00.000Z' }),
        makeChange({
          id: '2',
          command: 'accept',
          actor: 'support',
          premiumEndAfter: '2026-12-15T06:30:00.000Z',
          at: '2026-11-21T06:30:00.000Z',
        }),
        makeChange({ command: 'submit', actor: 'premium@example.in', months: 0 }),
      ],
    }))
    const page = openPage('/account', { as: 'premium' })
    const table = await page.find('table', 'Changes of your subscription')
    expect(textsOf(page.all('columnheader', undefined, table))).toEqual(['What', 'When', 'Months', 'Premium until', 'By'])
    const rows = page.all('row', undefined, table).slice(1)
    expect(rows.map((row) => textsOf(page.all('cell', undefined, row)))).toEqual([
      ['Months changed', '22 Nov 2026, 9:05 AM', '4 months', '–', 'Support'],
      ['Request accepted', '21 Nov 2026, 12:00 PM', '1 month', '15 Dec 2026', 'Support'],
      ['Request submitted', '20 Nov 2026, 12:00 PM', '–', '–', 'You'],
    ])
  })
})

describe('session list', () => {
  const elsewhere = makeSession({
    id: idOf(302),
    isCurrent: false,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })

  test('says in its own words what failed, where a proxy answers with a page', async () => {
    answerAccountPage()
    server.on(api.sessions.list, () => ({ success: true, data: [makeSession(), elsewhere] }))
    const page = openPage('/account', { as: 'free' })
    await page.find('button', 'End the session of Firefox on Linux')
    server.answerRaw(api.sessions.end, { status: 502, text: '<html><h1>Bad gateway</h1></html>' })
    await page.press('End the session of Firefox on Linux')
    await page.see('The session could not be ended. Please try again.')
    expect(page.has('Bad gateway')).toBe(false)
    expect(page.all('dialog', 'Your session has ended. Sign in again')).toEqual([])
  })

  test('shows a load error and can be retried', async () => {
    answerAccountPage()
    server.answerRaw(api.sessions.list, { status: 500, text: '' })
    const page = openPage('/account', { as: 'free' })
    await page.see('Request failed (500)')
    server.on(api.sessions.list, () => ({ success: true, data: [makeSession()] }))
    await page.press('Try again')
    await page.see('This session')
  })

  test('ends sessions one by one, but offers no button for the current one', async () => {
    answerAccountPage()
    let alive = [makeSession(), elsewhere]
    server.on(api.sessions.list, () => ({ success: true, data: alive }))
    const page = openPage('/account', { as: 'free' })
    await page.see('This session')
    await page.see('Last seen 20 Nov 2026, 12:00 PM, signed in 19 Nov 2026, 12:00 PM')
    expect(textsOf(page.all('button', /^End/))).toEqual(['End'])
    server.disconnect(api.sessions.end)
    await page.press('End the session of Firefox on Linux')
    await page.see('The session could not be ended. Please try again.')
    server.reject(api.sessions.end, new AppError('not-found', 'auth.sessionNotFound'))
    await page.press('End the session of Firefox on Linux')
    await page.see('This session does not exist or has already ended')
    server.on(api.sessions.end, ({ params }) => {
      alive = alive.filter(({ id }) => id !== params.id)
      return { success: true, message: 'Session ended' }
    })
    await page.press('End the session of Firefox on Linux')
    await page.see('Session ended')
    await page.goneFrom('button', 'End the session of Firefox on Linux')
    await page.see('This session')
    expect(server.calls(api.sessions.end).at(-1)?.params).toEqual({ id: idOf(302) })
  })

  test('asks for the password if the last confirmation is old, and then ends the session', async () => {
    answerAccountPage()
    server.on(api.sessions.list, () => ({ success: true, data: [makeSession(), elsewhere] }))
    const page = openPage('/account', { as: 'free' })
    await page.see('This session')
    server.reject(api.sessions.end, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('End the session of Firefox on Linux')
    await page.field('Your password')
    server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
    server.on(api.sessions.end, () => ({ success: true, message: 'Session ended' }))
    await page.fill('Your password', 'Kesar-Chai-42')
    await page.press('Confirm')
    await page.see('Session ended')
  })
})

describe('a tab that becomes visible again', () => {
  test('asks for a sign-in when its session has ended elsewhere', async () => {
    const page = await openAccount('free')
    await page.see('This session')
    await presenceStarted()
    server.endSession()
    lookAgain()
    const dialog = await page.find('dialog', 'Your session has ended. Sign in again')
    await page.press('Use another account', dialog)
    await page.find('button', 'Sign in to Dashboard')
    expect(localStorage.getItem('sessionToken')).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
  })

  test.each([
    ['is accepted', 'pending', makeUser('premium'), 'Your subscription is active. All charts are open.', 'Premium User'],
    ['has run out', 'premium', makeUser('premium', { isPremium: false, status: 'cancel' }), 'Your premium access has ended', 'Free User'],
    [
      'is declined',
      'pending',
      makeUser('free', { status: 'cancel' }),
      'Your subscription request was declined. Please ask support if this is a mistake.',
      'Free User',
    ],
    [
      'is renewed',
      makeUser('premium', { status: 'pending' }),
      makeUser('premium', { premiumEndDate: '2027-01-15T06:30:00.000Z' }),
      'Your subscription now runs until 15 Jan 2027.',
      'Premium User',
    ],
  ] as const)('reports that the subscription %s without a reload', async (_, before, after, sentence, access) => {
    const page = await openAccount(before)
    await presenceStarted()
    const historyCalls = server.calls(api.subscriptions.ownHistory).length
    server.changeUser(after)
    lookAgain()
    await page.see(sentence)
    await eventually(async () => expect(await valueOf(page, 'Access')).toBe(access))
    // The history is refetched as well.
    await eventually(() => expect(server.calls(api.subscriptions.ownHistory).length).toBeGreaterThan(historyCalls))
  })
})
