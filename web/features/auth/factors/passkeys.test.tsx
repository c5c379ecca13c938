// Passkeys on the account page and at sign-in, with a stubbed authenticator in `navigator.credentials`.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import type { FactorState } from '#shared/factors/contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { makeUser } from '#shared/testing/user.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeFactors } from '#web/testing/factories.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { answerSessionCalls, openPage } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { textsOf } from '#web/testing/see.ts'

const since = '2026-11-20T06:30:00.000Z'
const passkey = { id: 'cred-1', name: 'Chrome on Windows', createdAt: since, lastUsedAt: null }
const bytes = (text: string) => new TextEncoder().encode(text).buffer
const base64url = (text: string) => btoa(text).replaceAll('=', '')

/** Response of the device; browsers reject when the user cancels. */
const device = { create: vi.fn<() => Promise<unknown>>(), get: vi.fn<() => Promise<unknown>>() }
const cancelled = () => Promise.reject(new DOMException('cancelled', 'NotAllowedError'))

beforeEach(() => {
  device.create.mockReset().mockImplementation(() => Promise.resolve(credential({ attestationObject: bytes('attested') })))
  device.get
    .mockReset()
    .mockImplementation(() =>
      Promise.resolve(credential({ authenticatorData: bytes('data'), signature: bytes('signed'), userHandle: null })),
    )
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {})
  Object.defineProperty(navigator, 'credentials', { value: device, configurable: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})

function credential(response: object) {
  return {
    id: 'cred-1',
    rawId: bytes('cred-1'),
    type: 'public-key',
    response: { clientDataJSON: bytes('client'), ...response },
    getClientExtensionResults: () => ({}),
  }
}

const registration = {
  challenge: base64url('challenge'),
  rp: { id: 'localhost', name: 'Tezi' },
  user: { id: base64url('user'), name: 'asha@example.in', displayName: 'Asha' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
}

describe('account page', () => {
  const codes = Array.from({ length: 10 }, (_, at) => `abcdef-ghjkmn-pqrstu-vwxy${'abcdefghjk'[at] ?? ''}2`)

  async function openTwoFactor(state: Partial<FactorState> = {}): Promise<{ page: Page; region: HTMLElement }> {
    answerAccountPage()
    server.on(api.factors.state, () => ({ success: true, data: makeFactors({ hasPasskeys: true, ...state }) }))
    server.on(api.factors.startPasskey, () => ({ success: true, data: { options: registration } }))
    const page = openPage('/account', { as: 'free' })
    return { page, region: await page.find('region', 'Two-factor sign-in') }
  }

  test('hides passkeys when the site has no public address', async () => {
    const { page, region } = await openTwoFactor({ hasPasskeys: false })
    await page.find('button', 'Set up authenticator app', region)
    expect(region.textContent).not.toContain('Passkeys')
  })

  test("shows the server's limit, without prompting the device", async () => {
    const { page, region } = await openTwoFactor()
    server.reject(api.factors.startPasskey, new AppError('conflict', 'factors.passkeysFull'))
    await page.press('Add passkey', region)
    await page.see('You can add up to 10 passkeys. Remove one first.')
    expect(device.create).not.toHaveBeenCalled()
  })

  test.each([
    ['the person cancels', cancelled],
    ['the device gives nothing', () => Promise.resolve(null)],
  ])('shows an error when %s, and sends nothing', async (_, answer) => {
    const { page, region } = await openTwoFactor()
    device.create.mockImplementation(answer)
    await page.press('Add passkey', region)
    await page.see('Your browser did not give a passkey. Try again, or use a code.')
    expect(server.calls(api.factors.addPasskey)).toEqual([])
  })

  test('shows that the browser does not support passkeys', async () => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    const { page, region } = await openTwoFactor()
    await page.see('This browser has no passkeys.')
    expect(page.all('button', 'Add passkey')).toEqual([])
    expect(region.textContent).not.toContain('plain http')
  })

  test('shows over plain http what needs https', async () => {
    vi.stubGlobal('isSecureContext', false)
    const { page } = await openTwoFactor()
    await page.see(/^This page is open over plain http: .* need https\.$/)
  })

  test('does not list a passkey that the server rejects', async () => {
    const { page, region } = await openTwoFactor()
    server.reject(api.factors.addPasskey, new AppError('invalid', 'factors.passkeyRejected'))
    await page.press('Add passkey', region)
    await page.see('This passkey was not accepted. Try again.')
    expect(page.all('button', /^Remove the passkey/, region)).toEqual([])
  })

  test('adds a passkey after the password, names it after the device, and shows recovery codes', async () => {
    const { page, region } = await openTwoFactor()
    server.reject(api.factors.startPasskey, new AppError('forbidden', 'admin.confirmPassword'))
    await page.press('Add passkey', region)
    await page.field('Your password')
    server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
    server.on(api.factors.startPasskey, () => ({ success: true, data: { options: registration } }))
    server.on(api.factors.addPasskey, () => ({ success: true, message: factorsText.passkeyAdded, data: { recoveryCodes: codes } }))
    server.on(api.factors.state, () => ({
      success: true,
      data: makeFactors({ hasPasskeys: true, passkeys: [passkey], recoveryCodesLeft: 10 }),
    }))
    await page.fill('Your password', 'Kesar-Chai-42')
    await page.press('Confirm')
    const list = await page.find('list', 'Recovery codes')
    expect(textsOf([...list.querySelectorAll('li')])).toEqual(codes)
    expect(server.calls(api.factors.addPasskey)[0]?.body).toMatchObject({
      name: expect.stringMatching(/\S/) as string,
      response: { id: 'cred-1', response: { attestationObject: base64url('attested'), clientDataJSON: base64url('client') } },
    })
    await page.press('I have saved them')
    await page.goneFrom('list', 'Recovery codes')
    await page.see(/^Added .*, not used yet$/, region)
  })

  test('removes a passkey after the password', async () => {
    const { page, region } = await openTwoFactor({ passkeys: [{ ...passkey, lastUsedAt: since }], recoveryCodesLeft: 10 })
    await page.see(/^Added .*, last used /, region)
    await page.press('Remove the passkey Chrome on Windows', region)
    const dialog = await page.find('dialog', 'Remove this passkey?')
    await page.press('Remove', dialog)
    await page.see('Please enter your password', dialog)
    server.on(api.factors.removePasskey, () => ({ success: true, message: factorsText.passkeyRemoved }))
    server.on(api.factors.state, () => ({ success: true, data: makeFactors({ hasPasskeys: true }) }))
    await page.fill('Your password', 'Kesar-Chai-42', dialog)
    await page.press('Remove', dialog)
    await page.see('Passkey removed')
    await eventually(() => expect(page.all('button', /^Remove the passkey/, region)).toEqual([]))
    expect(server.calls(api.factors.removePasskey)[0]?.body).toEqual({ id: 'cred-1', password: 'Kesar-Chai-42' })
  })
})

describe('sign-in', () => {
  const challenge = 'C'.repeat(43)
  const user = makeUser('free', { mustChangePassword: true })
  const request = {
    challenge: base64url('sign this'),
    rpId: 'localhost',
    allowCredentials: [{ id: base64url('cred-1'), type: 'public-key' }],
  }

  async function openCode(options: unknown): Promise<Page> {
    server.on(api.auth.signIn, () => ({ success: false, message: 'Enter your code', data: { challenge } }))
    server.on(api.factors.passkeyOptions, () => ({ success: true, data: { options } }))
    const page = openPage('/login')
    await page.fill('Email', user.email)
    await page.fill('Password', 'Kesar-Chai-42')
    await page.press('Sign in to Dashboard')
    await page.find('heading', 'Enter your code')
    return page
  }

  test('shows no button for an account without a passkey', async () => {
    const page = await openCode(null)
    await eventually(() => expect(server.calls(api.factors.passkeyOptions)).toHaveLength(1))
    expect(page.all('button', 'Use a passkey')).toEqual([])
  })

  test('shows that the user cancelled and sends nothing; a code still works', async () => {
    const page = await openCode(request)
    device.get.mockImplementation(cancelled)
    await page.press('Use a passkey')
    await page.see('Your browser did not give a passkey. Try again, or use a code.')
    expect(server.calls(api.auth.secondFactor)).toEqual([])
    await page.field('Code')
  })

  test("shows the server's error, and fetches new options for the next attempt", async () => {
    const page = await openCode(request)
    server.reject(api.auth.secondFactor, new AppError('unauthenticated', 'factors.codeWrong'))
    await page.press('Use a passkey')
    await page.see(factorsText.codeWrong)
    await eventually(() => expect(server.calls(api.factors.passkeyOptions)).toHaveLength(2))
  })

  test('returns to the password when the sign-in has expired', async () => {
    const page = await openCode(request)
    server.reject(api.auth.secondFactor, new AppError('unauthenticated', 'factors.challengeEnded'))
    await page.press('Use a passkey')
    await page.find('button', 'Sign in to Dashboard')
  })

  test("sends the device's signature for the challenge and opens the session", async () => {
    const page = await openCode(request)
    server.on(api.auth.secondFactor, () => ({
      success: true,
      message: 'Login successful',
      data: { sessionToken: server.startSession(user), user },
    }))
    answerSessionCalls()
    await page.press('Use a passkey')
    await page.see('Login successful')
    expect(device.get).toHaveBeenCalledTimes(1)
    expect(server.calls(api.auth.secondFactor)[0]?.body).toMatchObject({
      challenge,
      passkey: { id: 'cred-1', response: { signature: base64url('signed'), authenticatorData: base64url('data') } },
    })
  })
})
