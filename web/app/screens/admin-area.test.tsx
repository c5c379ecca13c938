// Admin area: access, figures, online users, own password, audit log and sign-out.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { AuditRow } from '#shared/audit/contract.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser, type Kind } from '#shared/testing/user.ts'
import { makeTerm } from '#web/testing/factories.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { answerSessionCalls, openPage } from '#web/testing/render.tsx'
import { answerAdminPages, confirm } from '#web/testing/screens.ts'
import { issueOf, textsOf } from '#web/testing/see.ts'

const internal = new AppError('internal', anySentence('Of the server'))

function openAdmin(path: string): Page {
  answerAdminPages()
  return openPage(path, { as: 'admin' })
}

describe('admin area', () => {
  test.each([
    [undefined, '/admin', '403 Forbidden'],
    [undefined, '/admin/no-such-page', '403 Forbidden'],
    ['free', '/admin', '403 Forbidden'],
    ['premium', '/admin/user-req', '403 Forbidden'],
    [undefined, '/no-such-chart', '404 Not found'],
  ] as const satisfies readonly (readonly [Kind | undefined, string, string])[])(
    'shows %s at %s the page of %s with a link home [spec 2.12, 2.13]',
    async (as, path, words) => {
      const page = openPage(path, as === undefined ? {} : { as })
      await page.see(words)
      await page.find('img')
      expect((await page.find('link', 'Go to Homepage')).getAttribute('href')).toBe('/')
      expect(server.calls(api.admin.overview)).toEqual([])
      await eventually(() => expect(document.title).toContain(words))
    },
  )

  test('offers visitors the sign-in, which leads back, and says nothing about an account', async () => {
    const page = openPage('/admin/audit')
    await page.see('Sign in as an admin to open this page.')
    expect(page.has(/your account/i)).toBe(false)
    await page.user.click(await page.find('link', 'Sign in'))
    await page.find('button', 'Sign in to Dashboard')
    await page.user.click(page.all('link', 'Create an account')[0] ?? document.body)
    await page.user.click((await eventually(() => page.all('link', 'Sign in')))[0] ?? document.body)
    answerAdminPages()
    answerSessionCalls()
    const admin = makeUser('admin')
    server.on(api.auth.signIn, () => ({
      success: true,
      message: 'Login successful',
      data: { sessionToken: server.startSession(admin), user: admin },
    }))
    await page.fill('Email', admin.email)
    await page.fill('Password', 'Kesar-Chai-42')
    await page.press('Sign in to Dashboard')
    await page.find('heading', 'Audit Log')
    expect(page.address()).toBe('/admin/audit')
  })

  test('does not offer a user to sign in', async () => {
    const page = openPage('/admin', { as: 'free' })
    await page.see('Your account does not have permission to open this page.')
    expect(page.all('link', 'Sign in')).toEqual([])
  })

  test('shows admins 404 for an unknown page, and the pages of the sidebar [spec 2.10, 2.11]', async () => {
    const page = openAdmin('/admin/no-such-page')
    await page.see('404 Not found')
    const pages = await page.find('navigation', 'Admin pages')
    expect(page.all('link', undefined, pages).map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['All Users', '/admin'],
      ['Requested Users', '/admin/user-req'],
      ['Update Payment', '/admin/update-payment'],
      ['Reset Password', '/admin/reset-password'],
      ['Audit Log', '/admin/audit'],
      ['Market Data', '/admin/market'],
      ['Instruments', '/admin/instruments'],
      ['Status', '/admin/status'],
    ])
  })

  test('denies an admin without valid consent or password', async () => {
    const page = openPage('/admin', { as: makeUser('admin', { mustChangePassword: true }) })
    await page.find('heading', 'Choose your own password')
    expect(server.calls(api.admin.users)).toEqual([])
  })

  test('signs out by GET to the landing page, or shows an error', async () => {
    const page = openAdmin('/admin/reset-password')
    server.disconnect(api.auth.signOutByGet)
    await page.press('Sign Out')
    await page.see('Failed to sign out. Please try again.')
    server.on(api.auth.signOutByGet, () => ({ success: true, message: 'Signed out successfully' }))
    await page.press('Sign Out')
    await page.find('link', 'Start Analysis')
    expect(page.address()).toBe('/')
    expect(localStorage.getItem('sessionToken')).toBeNull()
  })
})

describe('figures', () => {
  test('show a load error and can be retried', async () => {
    answerAdminPages()
    server.reject(api.admin.overview, internal)
    const page = openPage('/admin', { as: 'admin' })
    const alert = await page.find('alert')
    await page.see('Of the server', alert)
    server.on(api.admin.overview, () => ({ success: true, data: { users: 1, premium: 0, pending: 0, expiringIn7Days: 0, revenue: [] } }))
    await page.press('Try again', alert)
    await page.find('region', 'Overview')
  })

  test('count users and add up both currencies by month', async () => {
    answerAdminPages()
    server.on(api.admin.overview, () => ({
      success: true,
      data: {
        users: 123456,
        premium: 4,
        pending: 2,
        expiringIn7Days: 1,
        revenue: [
          { month: '2026-10', inr: 500, usd: 0 },
          { month: '2026-11', inr: 100999, usd: 49.5 },
        ],
      },
    }))
    const page = openPage('/admin', { as: 'admin' })
    await page.see('1,23,456')
    const figures = page.all('listitem', undefined, await page.find('region', 'Overview'))
    expect(textsOf(figures).slice(0, 4)).toEqual(['Users1,23,456', 'Premium4', 'Pending2', 'Expiring in 7 days1'])
    const [rupees, dollars] = figures.slice(4)
    expect(rupees?.textContent).toContain('Revenue by month, ₹₹1,00,999this month')
    expect(dollars?.textContent).toContain('Revenue by month, $$49.50this month')
    expect(page.all('img', undefined, rupees)[0]?.getAttribute('aria-label')).toBe('2026-10 ₹500, 2026-11 ₹1,00,999')
    expect(page.all('img', undefined, dollars)[0]?.getAttribute('aria-label')).toBe('2026-10 $0, 2026-11 $49.50')
  })

  test('are refetched after an admin action', async () => {
    answerAdminPages()
    let premium = 4
    server.on(api.admin.overview, () => ({ success: true, data: { users: 8, premium, pending: 0, expiringIn7Days: 0, revenue: [] } }))
    server.on(api.admin.users, () => [makeUser('premium', { name: 'Ravi Iyer' })])
    server.on(api.subscriptions.term, () => ({ success: true, data: makeTerm({}) }))
    server.on(api.subscriptions.setStatus, () => {
      premium -= 1
      return { success: true, statuscode: 200, message: 'Subscription suspended' }
    })
    const page = openPage('/admin', { as: 'admin' })
    const figure = async () => page.all('listitem', undefined, await page.find('region', 'Overview'))[1]?.textContent
    await eventually(async () => expect(await figure()).toBe('Premium4'))
    await page.press('Suspend Ravi Iyer')
    await confirm(page, 'Suspend Ravi Iyer?', 'Suspend')
    await eventually(async () => expect(await figure()).toBe('Premium3'))
  })
})

describe('Online Users', () => {
  test('shows a load error, then the empty state, then the users, after each Refresh [spec 2.33]', async () => {
    answerAdminPages()
    server.reject(api.presence.online, internal)
    const page = openPage('/admin/user-req', { as: 'admin' })
    const panel = await page.find('region', /^Online Users/)
    await page.see('Of the server', panel)
    server.on(api.presence.online, () => ({ success: true, onlineUsers: [] }))
    await page.press('Refresh', panel)
    await page.see('No users online.', panel)
    server.on(api.presence.online, () => ({
      success: true,
      onlineUsers: [
        { id: 'a', name: 'Asha Rao', email: 'asha@example.in' },
        { id: 'b', name: 'Ravi Iyer', email: 'ravi@example.in' },
      ],
    }))
    await page.press('Refresh', panel)
    await page.see('ravi@example.in', panel)
    expect(textsOf(page.all('listitem', undefined, panel))).toEqual(['Asha Raoasha@example.in', 'Ravi Iyerravi@example.in'])
    expect((await page.find('heading', /^Online Users/)).textContent).toBe('Online Users2')
    server.on(api.presence.online, () => ({ success: true, onlineUsers: [] }))
    await page.press('Refresh', panel)
    await page.seeNoMore('ravi@example.in', panel)
  })
})

describe('Reset Password', () => {
  test('shows the own email, shows the new password as plain text, and validates it [spec 2.38, 5.15]', async () => {
    const page = openAdmin('/admin/reset-password')
    const email = await page.field('Email')
    expect([email.value, email.readOnly]).toEqual(['admin@example.in', true])
    const field = await page.field('New password')
    expect(field.type).toBe('text')
    expect((await page.field('Confirm password')).type).toBe('password')
    await page.press('Hide new password')
    expect(field.type).toBe('password')
    await page.press('Change Password')
    expect(issueOf(await page.field('Current password'))).toBe('Please fill all the fields')
    await page.fill('Current password', 'Kesar-Chai-42')
    await page.fill('New password', 'Elaichi-Lassi-77')
    await page.fill('Confirm password', 'another')
    await page.press('Change Password')
    await page.see('Passwords do not match')
    expect(server.calls(api.passwords.changePassword)).toEqual([])
    server.reject(api.passwords.changePassword, new AppError('invalid', 'admin.passwordAdminShort'))
    await page.fill('Current password', 'Kesar-Chai-42')
    await page.fill('New password', 'short-one')
    await page.fill('Confirm password', 'short-one')
    await page.press('Change Password')
    await page.see('The password of an admin must be at least 12 characters long')
    await eventually(() => expect(field.value).toBe(''))
  })

  test('changes the own password with the current one, and says what follows', async () => {
    const page = openAdmin('/admin/reset-password')
    server.on(api.passwords.changePassword, () => ({ success: true, message: 'Password updated successfully' }))
    await page.see(/^Changing your password signs you out everywhere else\./)
    expect(page.has(/temporary/)).toBe(false)
    await page.fill('New password', 'Elaichi-Lassi-77')
    await page.fill('Confirm password', 'Elaichi-Lassi-77')
    await page.press('Change Password')
    await page.see('Please fill all the fields')
    await page.fill('Current password', 'Kesar-Chai-42')
    await page.press('Change Password')
    await page.see('Password updated successfully')
    expect(server.calls(api.passwords.changePassword).map(({ body }) => body)).toEqual([
      { currentPassword: 'Kesar-Chai-42', newPassword: 'Elaichi-Lassi-77', confirmPassword: 'Elaichi-Lassi-77' },
    ])
  })
})

describe('audit log', () => {
  /** Newest first, by descending ids. */
  const rows: AuditRow[] = Array.from({ length: 52 }, (_, index) => ({
    id: String(1052 - index),
    at: '2026-11-20T06:30:00.000Z',
    actor: 'admin@example.in',
    actorName: 'Priya',
    action: 'subscription-months',
    target: 'ravi@example.in',
    targetName: 'Ravi',
    address: '203.0.113.7',
    details: JSON.stringify({ before: { months: 52 - index }, after: { months: 53 - index } }),
  }))

  test('shows a load error and can be retried', async () => {
    answerAdminPages()
    server.reject(api.audit.list, internal)
    const page = openPage('/admin/audit', { as: 'admin' })
    const alert = await page.find('alert')
    await page.see('Of the server', alert)
    server.on(api.audit.list, () => ({ success: true, data: [] }))
    await page.press('Try again', alert)
    await page.see('No entries found.')
    await page.see('What admins did, newest first. Entries cannot be changed.')
  })

  test('shows fifty acts as sentences, and loads older ones with Load more', async () => {
    answerAdminPages()
    server.on(api.audit.list, ({ query: { before } }) => ({
      success: true,
      data: rows.filter(({ id }) => before === undefined || Number(id) < Number(before)).slice(0, 50),
    }))
    const page = openPage('/admin/audit', { as: 'admin' })
    await page.find('table', 'Audit Log')
    expect(textsOf(page.all('columnheader'))).toEqual(['Time', 'What happened', 'Actor', 'Target', 'IP address'])
    expect(page.all('row')).toHaveLength(51)
    expect(textsOf(page.all('cell').slice(0, 5))).toEqual([
      '20 Nov 2026, 12:00 PM',
      "Priya changed Ravi's months from 52 to 53Months: 52 → 53",
      'admin@example.in',
      'ravi@example.in',
      '203.0.113.7',
    ])
    await page.press('Load more')
    await eventually(() => expect(page.all('row')).toHaveLength(53))
    expect(page.all('row').at(-1)?.textContent).toContain('Months: 1 → 2')
    expect(page.all('button', 'Load more')).toEqual([])
    expect(server.calls(api.audit.list).map(({ query }) => query.before)).toEqual([undefined, '1003'])
  })

  test('is filtered by actor, target, action and days, which stay in the address', async () => {
    answerAdminPages()
    server.on(api.audit.list, ({ query: { actor = '' } }) => ({ success: true, data: actor === '' ? rows.slice(0, 1) : [] }))
    const page = openPage('/admin/audit', { as: 'admin' })
    await page.see('ravi@example.in')
    expect(server.calls(api.audit.list)[0]?.query).toEqual({})
    await page.user.type(await page.find('searchbox', 'Actor'), 'nobody')
    await page.see('No entries found.')
    expect(page.address()).toBe('/admin/audit?actor=nobody')
    await page.user.type(await page.find('searchbox', 'Target'), 'ravi')
    await eventually(() => expect(page.address()).toBe('/admin/audit?actor=nobody&target=ravi'))
    await page.user.selectOptions(await page.find('combobox', 'Action'), 'Role changed')
    await eventually(() => expect(page.address()).toBe('/admin/audit?actor=nobody&target=ravi&action=role-changed'))
    await eventually(() =>
      expect(server.calls(api.audit.list).at(-1)?.query).toEqual({ actor: 'nobody', target: 'ravi', action: 'role-changed' }),
    )
  })

  test('with days in reverse says so, and asks the server for nothing', async () => {
    answerAdminPages()
    const page = openPage('/admin/audit?from=2026-11-20&to=2026-11-01', { as: 'admin' })
    expect(issueOf(await page.field('End date'))).toBe('The end date is before the start date')
    expect(server.calls(api.audit.list)).toEqual([])
  })

  test('shows an error when the export fails', async () => {
    answerAdminPages()
    const page = openPage('/admin/audit', { as: 'admin' })
    server.disconnect(api.audit.export)
    await page.press('Export CSV')
    await page.see('The export failed. Please try again.')
  })
})
