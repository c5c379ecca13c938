// Privacy features: notice, giving and withdrawing consent, data export, account erasure.
import { describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { PrivacyState } from '#shared/privacy/contract.ts'
import { privacyNoticeText } from '#shared/privacy/text/en-notice.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser } from '#shared/testing/user.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage, renderUi, type OpenOptions } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { descriptionOf, expectFocus, issueOf } from '#web/testing/see.ts'
import { ConsentBanner } from './consent-banner.tsx'

const given: PrivacyState = { consent: 'given', noticeVersion: '2026-11-25', at: '2026-11-25T06:30:00Z', erasedOn: null }
const missing: PrivacyState = { consent: 'missing', noticeVersion: null, at: null, erasedOn: null }
const withdrawn: PrivacyState = { ...given, consent: 'withdrawn', erasedOn: '2026-12-23T06:30:00Z' }
const adult = 'I am 18 or older.'
const agreement = 'I agree that my data is used as the privacy notice says.'

/** The account page of a user with this consent state; consenting and withdrawing change it. */
function openData(start: PrivacyState, as: OpenOptions['as'] = 'free'): Page {
  answerAccountPage()
  let state = start
  server.on(api.privacy.state, () => ({ success: true, data: state }))
  server.on(api.privacy.giveConsent, () => {
    state = given
    server.changeUser({ consent: undefined })
    return { success: true, message: 'Your consent is recorded' }
  })
  server.on(api.privacy.withdrawConsent, () => {
    state = withdrawn
    server.changeUser({ consent: 'withdrawn' })
    return { success: true, message: 'Your consent is withdrawn' }
  })
  return openPage('/account', as === undefined ? {} : { as })
}

async function confirmPassword(page: Page): Promise<void> {
  server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
  await page.fill('Your password', 'Kesar-Chai-42')
  await page.press('Confirm')
}

async function agree(page: Page): Promise<void> {
  for (const label of [adult, agreement]) await page.user.click(await page.field(label))
}

describe('privacy notice', () => {
  test('is public, and shows version, data, rights and support', async () => {
    const page = openPage('/privacy')
    await page.find('heading', 'Privacy notice')
    await page.see('Notice of 25 Nov 2026')
    await page.see('To find your payment, and for the books')
    await page.see('Drawings on the charts, and what you write there')
    await page.see(/^Workspace: favourites, layouts,/)
    for (const right of privacyNoticeText.rights) expect(document.body.textContent).toContain(right.slice(right.indexOf(':') + 2))
    expect((await page.find('link', 'Write to support')).getAttribute('href')).toBe('https://t.me/tezi_support')
  })

  test('is one click away from the login screen', async () => {
    const page = openPage('/login')
    await page.user.click(await page.find('link', 'Privacy notice'))
    await page.find('heading', 'Privacy notice')
    expect(page.address()).toBe('/privacy')
  })
})

describe('consent', () => {
  test('shows a load error and can be retried', async () => {
    answerAccountPage()
    server.answerRaw(api.privacy.state, { status: 500, text: '{}' })
    const page = openPage('/account', { as: 'free' })
    await page.press('Try again')
    server.on(api.privacy.state, () => ({ success: true, data: given }))
    await page.press('Try again')
    await page.see(/^You agreed to the notice of 25 Nov 2026 on 25 Nov 2026\./)
  })

  test('is not requested from admins', async () => {
    const page = openData(given, 'admin')
    await page.find('button', 'Download my data')
    expect(page.all('button', 'Withdraw consent')).toEqual([])
    expect(server.calls(api.privacy.state)).toEqual([])
  })

  test('is given by two boxes that start empty', async () => {
    const page = openData(missing, makeUser('free', { consent: 'missing' }))
    await page.see('We have no record of your consent to the present privacy notice. Please read it and decide.')
    const boxes = [await page.field(adult), await page.field(agreement)] as const
    expect(boxes.map((box) => box.checked)).toEqual([false, false])
    await page.press('Agree')
    await page.see('Please confirm that you are 18 or older')
    expect(descriptionOf(boxes[0])).toBe('Please confirm that you are 18 or older')
    await page.user.click(boxes[0])
    await page.press('Agree')
    await page.see('Please read the privacy notice and agree to it')
    expect(server.calls(api.privacy.giveConsent)).toEqual([])
    await page.user.click(boxes[1])
    server.reject(api.privacy.giveConsent, new AppError('invalid', 'privacy.noticeChanged'))
    await page.press('Agree')
    await page.see('The privacy notice has changed. Please reload the page and read it again.')
  })

  test('is recorded with the version of the notice', async () => {
    const page = openData(missing, makeUser('free', { consent: 'missing' }))
    await page.field(adult)
    await agree(page)
    await page.press('Agree')
    await page.see('Your consent is recorded')
    await page.find('button', 'Withdraw consent')
    expect(server.calls(api.privacy.giveConsent).map(({ body }) => body)).toEqual([{ noticeVersion: '2026-11-25', isAdult: true }])
  })

  test('is withdrawn only after a confirmation', async () => {
    const page = openData(given)
    await page.press('Withdraw consent')
    const question = await page.find('alertdialog', 'Withdraw consent')
    await page.see(
      'Charts and premium close at once. After 30 days the account is erased, unless you agree again before. Paid time runs on meanwhile.',
      question,
    )
    await page.press('Cancel', question)
    await page.goneFrom('alertdialog')
    expect(server.calls(api.privacy.withdrawConsent)).toEqual([])
    await page.press('Withdraw consent')
    await page.press('Withdraw consent', await page.find('alertdialog'))
    await page.see('Your consent is withdrawn')
    await page.see(
      'You have withdrawn your consent. Charts and premium are closed, and your account is erased on 23 Dec 2026 unless you agree again.',
    )
    await eventually(() => expect(page.all('link', 'Go to charts')).toEqual([]))
    await agree(page)
    await page.press('Agree')
    await page.see('Your consent is recorded')
    await page.find('link', 'Go to charts')
  })

  test('asks for the password to be withdrawn if the last confirmation is old', async () => {
    const page = openData(given)
    server.reject(api.privacy.withdrawConsent, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Withdraw consent')
    await page.press('Withdraw consent', await page.find('alertdialog'))
    await page.field('Your password')
    server.on(api.privacy.withdrawConsent, () => ({ success: true, message: 'Your consent is withdrawn' }))
    await confirmPassword(page)
    await page.see('Your consent is withdrawn')
  })

  test('shows an error when withdrawing fails', async () => {
    const page = openData(given)
    server.reject(api.privacy.withdrawConsent, new AppError('internal', anySentence('Of the server')))
    await page.press('Withdraw consent')
    await page.press('Withdraw consent', await page.find('alertdialog'))
    await page.see('Of the server')
  })

  test.each(['/', '/eur-usd', '/admin'])('that was withdrawn redirects from %s to the account page', async (path) => {
    answerAccountPage()
    server.on(api.privacy.state, () => ({ success: true, data: withdrawn }))
    const page = openPage(path, { as: makeUser('premium', { consent: 'withdrawn' }) })
    await page.find('heading', 'Account')
    expect(page.address()).toBe('/account')
  })

  test('that is missing is requested by a banner, which can be dismissed for this visit', async () => {
    const page = renderUi(<ConsentBanner accountPath="/account" />)
    const banner = await page.find('region', 'Your consent')
    await page.see('We have no record of your consent to the present privacy notice. Please read it and decide.', banner)
    expect((await page.find('link', 'Review', banner)).getAttribute('href')).toBe('/account')
    await page.press('Not now', banner)
    await page.goneFrom('region', 'Your consent')
    const later = renderUi(<ConsentBanner accountPath="/account" />)
    expect(later.all('region', 'Your consent')).toEqual([])
  })
})

describe('data export', () => {
  test('is saved as one file, or shows an error', async () => {
    const saved: string[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:made', revokeObjectURL: () => undefined }))
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const page = openData(given)
    server.disconnect(api.privacy.exportData)
    await page.press('Download my data')
    await page.see('Your data could not be downloaded. Please try again.')
    server.reject(api.privacy.exportData, new AppError('too-many', 'privacy.exportTooOften'))
    await page.press('Download my data')
    await page.see('You have downloaded your data several times already. Please try again later.')
    expect(saved).toEqual([])
    server.reject(api.privacy.exportData, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Download my data')
    await page.field('Your password')
    expect(saved).toEqual([])
    server.on(api.privacy.exportData, () => '{}')
    await confirmPassword(page)
    await eventually(() => expect(saved).toEqual(['my-data.json']))
    click.mockRestore()
  })
})

describe('account erasure', () => {
  async function openErase() {
    const page = openData(given)
    await page.press('Erase account')
    return { page, dialog: await page.find('dialog', 'Erase your account?') }
  }

  test("requires the password, and shows the server's message or that it failed", async () => {
    const { page, dialog } = await openErase()
    const field = await page.field('Your password', dialog)
    await expectFocus(field)
    await page.press('Erase account', dialog)
    await page.see('Please enter your password', dialog)
    expect(issueOf(field)).toBe('Please enter your password')
    expect(server.calls(api.privacy.eraseAccount)).toEqual([])
    server.reject(api.privacy.eraseAccount, new AppError('forbidden', 'admin.passwordWrong'))
    await page.fill('Your password', 'not-the-one', dialog)
    await page.press('Erase account', dialog)
    await page.see('The password is wrong', dialog)
    server.reject(api.privacy.eraseAccount, new AppError('conflict', 'privacy.lastAdmin'))
    await page.press('Erase account', dialog)
    await page.see('You are the only admin. Make another user an admin before you erase this account.', dialog)
    server.disconnect(api.privacy.eraseAccount)
    await page.press('Erase account', dialog)
    await page.see('The account could not be erased. Please try again.', dialog)
    await page.press('Cancel', dialog)
    await page.goneFrom('dialog', 'Erase your account?')
    expect(localStorage.getItem('sessionToken')).not.toBeNull()
  })

  test('removes all data of the user from this browser, and nothing else', async () => {
    const { page, dialog } = await openErase()
    const email = 'free@example.in'
    localStorage.setItem(`drawings.${email}.nifty`, 'not saved yet')
    localStorage.setItem('drawings.another@example.in.nifty', 'not saved yet')
    const release = server.hold(api.privacy.eraseAccount)
    server.on(api.privacy.eraseAccount, () => ({ success: true, message: 'Your account is erased' }))
    await page.fill('Your password', 'Kesar-Chai-42', dialog)
    await page.press('Erase account', dialog)
    await page.find('button', 'Erasing...', dialog)
    release()
    await page.see('Your account is erased')
    await page.find('button', 'Sign in to Dashboard')
    expect(page.address()).toBe('/login')
    expect(Object.keys(localStorage).filter((key) => !key.startsWith('chart.'))).toEqual(['drawings.another@example.in.nifty'])
    expect(server.calls(api.privacy.eraseAccount).map(({ body }) => body)).toEqual([{ password: 'Kesar-Chai-42' }])
  })
})
