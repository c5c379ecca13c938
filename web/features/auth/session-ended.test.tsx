// A session that ends while its user works: one dialog, and nothing below it is lost.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { authServerText } from '#shared/auth/text/en.ts'
import { sessionEndedText as text } from '#shared/auth/text/en-session.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import type { User } from '#shared/users/user.ts'
import { session } from '#web/lib/browser-storage.ts'
import { takeLoggedErrors } from '#web/testing/console.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { presenceStarted } from '#web/testing/presence-started.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAccountPage, answerAdminPages } from '#web/testing/screens.ts'
import { expectFocus, issueOf } from '#web/testing/see.ts'

const password = 'Kesar-Chai-42'
const ravi = makeUser('premium', { _id: idOf(2), name: 'Ravi Iyer', email: 'ravi@example.in' })

function answerSignIn(user: User): void {
  server.on(api.auth.signIn, () => ({
    success: true,
    message: 'Login successful',
    data: { sessionToken: server.startSession(user), user },
  }))
}

async function signInAgain(page: Page): Promise<void> {
  const dialog = await page.find('dialog', text.title)
  await page.fill('Password', password, dialog)
  await page.press('Sign in', dialog)
}

/** The admin's list with the months dialog open, a number typed into it, and the session over. */
async function typeMonths(): Promise<{ page: Page; dialog: HTMLElement }> {
  answerAdminPages()
  server.on(api.admin.users, () => [ravi])
  const page = openPage('/admin', { as: 'admin' })
  await page.press('Change subscription months of Ravi Iyer')
  const dialog = await page.find('dialog', 'Change Subscription Months')
  await page.fill('Months', '7', dialog)
  server.endSession()
  return { page, dialog }
}

/** The account page with a password typed into it, and the session over. */
async function typePassword(): Promise<Page> {
  answerAccountPage()
  const page = openPage('/account', { as: 'free' })
  await page.fill('New password', 'half a pass')
  await presenceStarted()
  server.endSession()
  window.dispatchEvent(new Event('focus'))
  await page.find('dialog', text.title)
  return page
}

describe('a session that has ended', () => {
  test('keeps the dialog for an empty and a wrong password, and for Escape', async () => {
    const page = await typePassword()
    const dialog = await page.find('dialog', text.title)
    await page.see(text.text, dialog)
    expect((await page.field('Email', dialog)).value).toBe('free@example.in')
    await expectFocus(await page.field('Password', dialog))
    await page.press('Sign in', dialog)
    expect(issueOf(await page.field('Password', dialog))).toBe('Please fill in all required fields')
    server.reject(api.auth.signIn, new AppError('unauthenticated', 'auth.credentialsWrong'))
    await page.fill('Password', 'wrong', dialog)
    await page.press('Sign in', dialog)
    await page.see('Invalid email or password', dialog)
    await page.user.keyboard('{Escape}')
    await page.find('dialog', text.title)
    expect(server.calls(api.auth.signIn).map(({ body }) => body)).toEqual([{ email: 'free@example.in', password: 'wrong' }])
  })

  test('returns the user to the page with what was typed', async () => {
    const page = await typePassword()
    answerSignIn(makeUser('free'))
    await signInAgain(page)
    await page.goneFrom('dialog', text.title)
    expect(page.address()).toBe('/account')
    expect((await page.field('New password')).value).toBe('half a pass')
    expect(localStorage.getItem('sessionToken')).not.toBeNull()
  })

  test('completes the call of an admin after the sign-in, above the dialog that made it', async () => {
    const { page, dialog } = await typeMonths()
    server.on(api.subscriptions.changeMonths, () => ({ success: true, message: 'Subscription months updated successfully' }))
    await page.press('Save', dialog)
    const asked = await page.find('dialog', text.title)
    expect(page.all('dialog', text.title)).toEqual([asked])
    expect(page.has('403 Forbidden')).toBe(false)
    answerSignIn(makeUser('admin'))
    await signInAgain(page)
    await page.see('Subscription months updated successfully')
    expect(server.calls(api.subscriptions.changeMonths).map(({ body }) => body)).toEqual([
      { email: 'ravi@example.in', months: 7 },
      { email: 'ravi@example.in', months: 7 },
    ])
    expect(page.has(authServerText.sessionMissing)).toBe(false)
  })

  test('asks for the second factor of an account that has one', async () => {
    const page = await typePassword()
    const challenge = 'of the sign-in'
    server.on(api.auth.signIn, () => ({ success: false, message: 'Enter your code', data: { challenge } }))
    server.on(api.factors.passkeyOptions, () => ({ success: true, data: { options: null } }))
    await signInAgain(page)
    const user = makeUser('free')
    server.on(api.auth.secondFactor, () => ({
      success: true,
      message: 'Login successful',
      data: { sessionToken: server.startSession(user), user },
    }))
    await page.fill('Code', '123456')
    await page.press('Sign in')
    await page.goneFrom('dialog', text.title)
    expect((await page.field('New password')).value).toBe('half a pass')
  })

  test('that ended before the visit asks at once, also where a visitor gets 403', async () => {
    const admin = makeUser('admin')
    answerAdminPages()
    session.save('of-an-ended-session', admin)
    server.on(api.users.me, () => admin)
    server.on(api.presence.beOnline, () => ({ success: true, data: { isPremium: false, status: null, premiumEndDate: null } }))
    server.on(api.presence.beGone, () => ({ success: true }))
    const page = openPage('/admin/reset-password')
    await page.find('dialog', text.title)
    expect(page.has('403 Forbidden')).toBe(false)
    answerSignIn(admin)
    await signInAgain(page)
    await page.field('New password')
    expect(page.address()).toBe('/admin/reset-password')
  })

  test('says why, if the account has signed in on too many devices', async () => {
    answerAccountPage()
    const page = openPage('/account', { as: 'free' })
    await page.see('This session')
    await presenceStarted()
    server.reject(api.users.me, new AppError('unauthenticated', 'auth.sessionReplaced'))
    window.dispatchEvent(new Event('focus'))
    await page.see(authServerText.sessionReplaced, await page.find('dialog', text.title))
  })

  test('goes on when another tab signs in', async () => {
    const page = await typePassword()
    localStorage.setItem('sessionToken', server.startSession(makeUser('free')))
    window.dispatchEvent(new StorageEvent('storage', { key: 'sessionToken', newValue: 'next' }))
    await page.goneFrom('dialog', text.title)
    expect((await page.field('New password')).value).toBe('half a pass')
  })

  test('is left for the sign-in form of another account', async () => {
    const page = await typePassword()
    await page.press('Use another account')
    await page.find('button', 'Sign in to Dashboard')
    expect(page.address()).toBe('/login')
    expect(page.all('dialog')).toEqual([])
    expect(localStorage.getItem('sessionToken')).toBeNull()
  })

  test('is dropped without a question on the sign-in page', async () => {
    session.save('of-an-ended-session', makeUser('free'))
    server.on(api.users.me, () => makeUser('free'))
    const page = openPage('/login')
    await page.find('button', 'Sign in to Dashboard')
    await eventually(() => expect(localStorage.getItem('sessionToken')).toBeNull())
    expect(page.all('dialog')).toEqual([])
    expect(takeLoggedErrors()).toEqual([expect.stringContaining('The signed-in user could not be loaded')])
  })
})
