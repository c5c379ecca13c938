// Two-factor sign-in on the account page, and the mandatory setup for admins.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import type { FactorState } from '#shared/factors/contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { queryClient, userKey } from '#web/lib/query-client.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser } from '#shared/testing/user.ts'
import { makeFactors } from '#web/testing/factories.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAccountPage, answerAdminPages } from '#web/testing/screens.ts'
import { issueOf, textsOf } from '#web/testing/see.ts'

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const uri = `otpauth://totp/Tezi:asha?secret=${secret}&issuer=Tezi`
const codes = Array.from({ length: 10 }, (_, at) =>
  `abcdef-ghjkmn-pqrstu-vwxyz${(at % 8) + 2}`.replace('abcdef', `abcde${'fghjkmnpqr'[at] ?? ''}`),
)
const since = '2026-11-20T06:30:00.000Z'

async function openTwoFactor(state: Partial<FactorState> = {}): Promise<{ page: Page; region: HTMLElement }> {
  answerAccountPage()
  server.on(api.factors.state, () => ({ success: true, data: makeFactors(state) }))
  const page = openPage('/account', { as: 'free' })
  return { page, region: await page.find('region', 'Two-factor sign-in') }
}

const answerSetup = () => {
  server.on(api.factors.startTotp, () => ({ success: true, data: { secret, uri } }))
  server.on(api.factors.confirmTotp, () => ({ success: true, message: factorsText.added, data: { recoveryCodes: codes } }))
}

describe('account page', () => {
  test('shows a load error and can be retried', async () => {
    answerAccountPage()
    server.reject(api.factors.state, new AppError('internal', anySentence('Of the server')))
    const page = openPage('/account', { as: 'free' })
    const region = await page.find('region', 'Two-factor sign-in')
    await page.see('Of the server', region)
    server.on(api.factors.state, () => ({ success: true, data: makeFactors() }))
    await page.press('Try again', region)
    await page.find('button', 'Set up authenticator app', region)
  })

  test('is off at first, without recovery codes', async () => {
    const { page, region } = await openTwoFactor()
    await page.see('Off', region)
    expect(textsOf(page.all('button', undefined, region))).toEqual(['Set up authenticator app'])
  })

  test('is set up by QR code or key, first code, and ten recovery codes that stay until they are saved', async () => {
    const { page, region } = await openTwoFactor()
    answerSetup()
    await page.press('Set up authenticator app', region)
    const dialog = await page.find('dialog', 'Set up authenticator app')
    await page.find('img', 'QR code for your authenticator app', dialog)
    await page.see('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ', dialog)
    expect((await page.find('link', 'Open in an app on this device', dialog)).getAttribute('href')).toBe(uri)
    const field = await page.field('Code of the app', dialog)
    expect(field.autocomplete).toBe('one-time-code')
    await page.press('Turn on', dialog)
    expect(issueOf(field)).toBe('Enter the 6 digits of your app, or a recovery code.')
    server.reject(api.factors.confirmTotp, new AppError('invalid', 'factors.codeWrong'))
    await page.fill('Code of the app', '111111', dialog)
    await page.press('Turn on', dialog)
    await page.see(factorsText.codeWrong, dialog)
    answerSetup()
    await page.fill('Code of the app', '123456', dialog)
    await page.press('Turn on', dialog)
    const list = await page.find('list', 'Recovery codes')
    expect(textsOf([...list.querySelectorAll('li')])).toEqual(codes)
    await page.user.keyboard('{Escape}')
    await page.find('list', 'Recovery codes')
    expect(page.all('button', 'Close')).toEqual([])
    await page.press('I have saved them')
    await page.goneFrom('list', 'Recovery codes')
    expect(server.calls(api.factors.confirmTotp).at(-1)?.body).toEqual({ code: '123456' })
  })

  test('asks for the password when the server requires it', async () => {
    const { page, region } = await openTwoFactor()
    server.reject(api.factors.startTotp, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Set up authenticator app', region)
    await page.field('Your password')
    server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
    answerSetup()
    await page.fill('Your password', 'Kesar-Chai-42')
    await page.press('Confirm')
    await page.find('img', 'QR code for your authenticator app')
  })

  test('shows when it was enabled and how many codes are left; new codes need a confirmation', async () => {
    const { page, region } = await openTwoFactor({ totpSince: since, recoveryCodesLeft: 1 })
    await page.see(/^On since /, region)
    await page.see(/^1 of 10 left\./, region)
    server.on(api.factors.newRecoveryCodes, () => ({ success: true, data: { recoveryCodes: codes } }))
    await page.press('New recovery codes', region)
    const question = await page.find('alertdialog', 'Make new recovery codes?')
    await page.press('New recovery codes', question)
    const list = await page.find('list', 'Recovery codes')
    expect(textsOf([...list.querySelectorAll('li')])).toEqual(codes)
    await page.press('I have saved them')
    await page.goneFrom('list', 'Recovery codes')
  })

  test('is removed after the password', async () => {
    const { page, region } = await openTwoFactor({ totpSince: since, recoveryCodesLeft: 10 })
    await page.press('Remove', region)
    const dialog = await page.find('dialog', 'Remove the authenticator app?')
    await page.press('Remove', dialog)
    await page.see('Please enter your password', dialog)
    server.reject(api.factors.removeTotp, new AppError('conflict', 'factors.alreadyRequired'))
    await page.fill('Your password', 'Kesar-Chai-42', dialog)
    await page.press('Remove', dialog)
    await page.see('Admins need two-factor sign-in. Add another method before you remove this one.', dialog)
    server.on(api.factors.removeTotp, () => ({ success: true, message: factorsText.removed }))
    server.on(api.factors.state, () => ({ success: true, data: makeFactors() }))
    await page.press('Remove', dialog)
    await page.find('button', 'Set up authenticator app', region)
    expect(server.calls(api.factors.removeTotp).at(-1)?.body).toEqual({ password: 'Kesar-Chai-42' })
  })
})

describe('an admin who must use it', () => {
  test('sets it up before anything else, and continues only after the codes are saved', async () => {
    answerAdminPages()
    answerSetup()
    const admin = makeUser('admin', { mustAddSecondFactor: true })
    const page = openPage('/admin', { as: admin })
    await page.find('heading', 'Set up two-factor sign-in')
    await page.fill('Code of the app', '123456')
    server.on(api.users.me, () => makeUser('admin'))
    await page.press('Turn on')
    await page.find('list', 'Recovery codes')
    // Like a refetch on window focus.
    await queryClient.refetchQueries({ queryKey: userKey })
    await page.find('list', 'Recovery codes')
    await page.press('I have saved them')
    await eventually(() => expect(page.all('heading', 'Set up two-factor sign-in')).toEqual([]))
    expect(page.address()).toBe('/admin')
  })

  test('can sign out instead', async () => {
    answerSetup()
    const page = openPage('/', { as: makeUser('admin', { mustAddSecondFactor: true }) })
    server.on(api.auth.signOut, () => ({ success: true, message: 'Signed out successfully' }))
    await page.press('Sign Out')
    await page.find('link', 'Start Analysis')
  })
})
