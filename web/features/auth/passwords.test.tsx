// Password forms: by reset link, on the account page, and the forced change of a password set by an admin.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { makeUser } from '#shared/testing/user.ts'
import { eventually } from '#web/testing/eventually.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage, renderUi } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { expectFocus, issueOf } from '#web/testing/see.ts'
import { ChangePassword } from './change-password.tsx'

const updated = { success: true, message: 'Password updated successfully' } as const

/** Fills the fields of a form in order and submits it. */
async function send(page: Page, form: string, button: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const element = await page.find('form', form)
  for (const [label, text] of Object.entries(texts)) await page.fill(label, text, element)
  await page.press(button, element)
}

/** The rules shared by all these forms; with the current password where the form asks for it. */
async function expectRules(page: Page, form: string, button: string, current: Readonly<Record<string, string>>): Promise<void> {
  await page.press(button, await page.find('form', form))
  await page.see('Please fill in all fields')
  const [first] = (await page.find('form', form)).querySelectorAll('input:not([hidden])')
  if (first !== undefined) await expectFocus(first)
  await send(page, form, button, { ...current, 'New password': 'Elaichi-Lassi-77', 'Confirm new password': 'another' })
  await page.see('Passwords do not match')
  expect(issueOf(await page.field('Confirm new password'))).toBe('Passwords do not match')
  await send(page, form, button, { ...current, 'New password': 'short', 'Confirm new password': 'short' })
  await page.see('Password must be at least 6 characters long')
  expect(issueOf(await page.field('New password'))).toBe('Password must be at least 6 characters long')
}

const typed = { 'New password': 'Elaichi-Lassi-77', 'Confirm new password': 'Elaichi-Lassi-77' }

describe('reset link form', () => {
  const linkSent = { success: true, message: adminText.linkSent } as const

  test('rejects an invalid email, and starts with the one typed into the sign-in form', async () => {
    const page = openPage('/login')
    await page.fill('Email', 'asha@example.in')
    await page.user.click(await page.find('link', 'Email me a link'))
    await page.find('heading', 'Reset your password by email')
    expect((await page.field('Email')).value).toBe('asha@example.in')
    await page.fill('Email', '')
    await page.press('Email me a link')
    await page.see('Please fill in all required fields')
    await page.fill('Email', 'asha')
    await page.press('Email me a link')
    await page.see('Please enter a valid email address')
    expect(server.calls(api.passwords.askForLink)).toEqual([])
  })

  test("shows the server's message, or that the link could not be sent", async () => {
    const page = openPage('/login?mode=password-link')
    await page.fill('Email', 'Asha@example.in')
    server.disconnect(api.passwords.askForLink)
    await page.press('Email me a link')
    expect((await page.find('alert')).textContent).toBe('The link could not be sent. Please try again.')
    server.reject(api.passwords.askForLink, new AppError('unavailable', 'admin.mailMissing'))
    await page.press('Email me a link')
    await page.see('Mail is not set up here. Please contact support.')
    const release = server.hold(api.passwords.askForLink)
    server.on(api.passwords.askForLink, () => linkSent)
    await page.press('Email me a link')
    await page.find('button', 'Sending...')
    release()
    await page.see('If there is an account with this email, a link is on its way')
    expect(page.all('alert')).toEqual([])
    expect(server.calls(api.passwords.askForLink).at(-1)?.body).toEqual({ email: 'asha@example.in' })
    await page.fill('Email', 'ravi@example.in')
    await page.seeNoMore('If there is an account with this email, a link is on its way')
    await page.user.click(await page.find('link', 'Sign in', await page.find('main')))
    await page.find('button', 'Sign in to Dashboard')
  })
})

describe('reset page', () => {
  const form = 'Choose a new password'
  const button = 'Save new password'

  test('without a token links back to the sign-in form', async () => {
    const page = openPage('/reset-password')
    await page.see('This link is invalid or has already been used. Request a new one.')
    expect(page.all('form')).toEqual([])
    await page.user.click(await page.find('link', 'Back to sign in'))
    await page.find('button', 'Sign in to Dashboard')
  })

  test('removes the token from the address, validates the fields, and ends at the sign-in form', async () => {
    const page = openPage('/reset-password#token=abc')
    await page.find('form', form)
    await eventually(() => expect(window.location.href).not.toContain('abc'))
    await expectRules(page, form, button, {})
    expect(server.calls(api.passwords.useLink)).toEqual([])
    server.reject(api.passwords.useLink, new AppError('invalid', 'admin.linkInvalid'))
    await send(page, form, button, typed)
    await page.see('This link has expired or was used already. Please ask for a new one.')
    server.on(api.passwords.useLink, () => updated)
    await page.press(button)
    await page.see('Password updated successfully')
    await page.find('button', 'Sign in to Dashboard')
    expect(server.calls(api.passwords.useLink).at(-1)?.body).toEqual({
      token: 'abc',
      newPassword: 'Elaichi-Lassi-77',
      confirmPassword: 'Elaichi-Lassi-77',
    })
  })
})

describe('Change password', () => {
  const form = accountText.password
  const button = 'Change password'
  const all = { 'Current password': 'Kesar-Chai-42', ...typed }

  test("validates the form, then shows the server's message", async () => {
    const page = renderUi(<ChangePassword email="free@example.in" />, { as: 'free' })
    await expectRules(page, form, button, { 'Current password': 'Kesar-Chai-42' })
    expect(server.calls(api.passwords.changePassword)).toEqual([])
    server.reject(
      api.passwords.changePassword,
      new AppError('forbidden', 'admin.passwordWrong', { fields: { currentPassword: 'admin.passwordWrong' } }),
    )
    await send(page, form, button, all)
    await page.see('The password is wrong')
    const current = await page.field('Current password')
    expect(issueOf(current)).toBe('The password is wrong')
    await expectFocus(current)
    server.reject(
      api.passwords.changePassword,
      new AppError('invalid', anySentence('Of the server'), { fields: { password: anySentence('This password is too common') } }),
    )
    await page.press(button)
    await page.see('This password is too common')
    expect(issueOf(await page.field('New password'))).toBe('This password is too common')
    server.disconnect(api.passwords.changePassword)
    await page.press(button)
    expect((await page.find('alert')).textContent).toBe('The password could not be changed. Please try again.')
    expect(current.value).toBe('Kesar-Chai-42')
  })

  test('sends once, confirms and clears itself', async () => {
    const page = renderUi(<ChangePassword email="free@example.in" />, { as: 'free' })
    const release = server.hold(api.passwords.changePassword)
    server.on(api.passwords.changePassword, () => updated)
    await send(page, form, button, all)
    await page.pressBusy('Changing...')
    release()
    await page.see('Password updated successfully')
    await eventually(() => expect(page.all('button', button)).toHaveLength(1))
    for (const label of Object.keys(all)) expect((await page.field(label)).value).toBe('')
    expect(server.calls(api.passwords.changePassword).map(({ body }) => body)).toEqual([
      { currentPassword: 'Kesar-Chai-42', newPassword: 'Elaichi-Lassi-77', confirmPassword: 'Elaichi-Lassi-77' },
    ])
  })
})

describe('a password set by an admin', () => {
  const form = 'Choose your own password'
  const button = 'Save and continue'

  test.each(['/', '/eur-usd', '/account'])('must be changed before anything else at %s', async (path) => {
    const page = openPage(path, { as: makeUser('premium', { mustChangePassword: true }) })
    await page.find('heading', form)
    expect(page.all('heading')).toHaveLength(1)
    expect(page.address()).toBe(path)
  })

  test('is changed by the same rules, and then the screen opens', async () => {
    const user = makeUser('premium', { mustChangePassword: true })
    answerAccountPage()
    const page = openPage('/account', { as: user })
    await expectRules(page, form, button, { 'Current password': 'Kesar-Chai-42' })
    server.reject(api.passwords.changePassword, new AppError('forbidden', 'admin.passwordWrong'))
    await send(page, form, button, { 'Current password': 'not-the-one', ...typed })
    await page.see('The password is wrong')
    server.on(api.passwords.changePassword, () => {
      server.changeUser({ mustChangePassword: false })
      return updated
    })
    await page.press(button)
    await page.see('Password updated successfully')
    await page.find('heading', 'Account')
  })
})
