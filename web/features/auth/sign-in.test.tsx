// Sign-in form: validation, messages, success, and the link to a forgotten password.
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { verifyProof, solveChallenge, type Challenge } from '#shared/http/proof.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { takeLoggedErrors } from '#web/testing/console.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser } from '#shared/testing/user.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { answerSessionCalls, openPage } from '#web/testing/render.tsx'
import { expectFocus, issueOf } from '#web/testing/see.ts'

const password = 'Kesar-Chai-42'

/** A worker that answers like the real one, when released. */
function stubWorker(): PromiseWithResolvers<void> {
  const gate = Promise.withResolvers<void>()
  class ScriptedWorker extends EventTarget {
    postMessage(challenge: Challenge): void {
      void gate.promise.then(() => this.dispatchEvent(new MessageEvent('message', { data: solveChallenge(challenge, sha256) })))
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', ScriptedWorker)
  return gate
}

async function signIn(page: Page, email: string, typed: string): Promise<void> {
  await page.fill('Email', email)
  await page.fill('Password', typed)
  await page.press('Sign in to Dashboard')
}

describe('sign-in form', () => {
  test('shows errors at the invalid field, which is focused [spec 5.1]', async () => {
    const page = openPage('/login')
    await page.press('Sign in to Dashboard')
    await page.see('Please fill in all required fields')
    expect(issueOf(await page.field('Email'))).toBe('Please fill in all required fields')
    await expectFocus(await page.field('Email'))
    await page.fill('Email', 'asha')
    expect(page.has('Please fill in all required fields')).toBe(false)
    await page.press('Sign in to Dashboard')
    expect(issueOf(await page.field('Password'))).toBe('Please fill in all required fields')
    await signIn(page, 'asha', 'x')
    await page.see('Please enter a valid email address')
    expect(server.calls(api.auth.signIn)).toEqual([])
  })

  test("shows the server's error at its field or as a message", async () => {
    const page = openPage('/login')
    server.reject(api.auth.signIn, new AppError('unauthenticated', 'auth.credentialsWrong'))
    await signIn(page, ' Asha@Example.in ', password)
    await page.see('Invalid email or password')
    expect(server.calls(api.auth.signIn)[0]?.body).toEqual({ email: 'asha@example.in', password })
    // The typed values are kept.
    expect((await page.field('Password')).value).toBe(password)
    server.reject(api.auth.signIn, new AppError('too-many', 'auth.tooManySignIns', { retryAfterSeconds: 60 }))
    await page.press('Sign in to Dashboard')
    await page.see('Too many failed attempts. Please try again later.')
    server.reject(
      api.auth.signIn,
      new AppError('invalid', anySentence('Of the server'), { fields: { password: anySentence('About the password') } }),
    )
    await page.press('Sign in to Dashboard')
    await page.see('About the password')
    expect(issueOf(await page.field('Password'))).toBe('About the password')
    expect(page.has('Of the server')).toBe(false)
  })

  test('solves a proof-of-work challenge automatically, shows progress, and signs in with the proof', async () => {
    const user = makeUser('free', { mustChangePassword: true })
    const page = openPage('/login')
    const challenge = { token: 'signed', seed: '00112233445566778899aabbccddeeff', rounds: 2, bits: 4 }
    const work = stubWorker()
    answerSessionCalls()
    server.on(api.auth.signIn, ({ body }) => {
      if (body.proof === undefined) throw new AppError('too-many', 'auth.tooManySignIns', { retryAfterSeconds: 60, challenge })
      return { success: true, message: 'Login successful', data: { sessionToken: server.startSession(user), user } }
    })
    await signIn(page, user.email, password)
    await page.pressBusy('Checking your browser...')
    expect((await page.find('status')).textContent).toMatch(/^There were too many failed attempts/)
    work.resolve()
    await page.see('Login successful')
    const [first, second, ...more] = server.calls(api.auth.signIn).map(({ body }) => body)
    expect([first?.proof, more]).toEqual([undefined, []])
    expect(second?.proof?.token).toBe('signed')
    expect(verifyProof(challenge, second?.proof?.nonces ?? [], sha256)).toBe(true)
    expect(page.has(/^There were too many failed attempts/)).toBe(false)
  })

  test('shows the error when no challenge helps, or when the browser cannot solve it', async () => {
    const page = openPage('/login')
    const challenge = { token: 'signed', seed: '00112233445566778899aabbccddeeff', rounds: 1, bits: 1 }
    stubWorker().resolve()
    let asked = 0
    server.on(api.auth.signIn, () => {
      asked += 1
      throw new AppError('too-many', 'auth.tooManySignIns', { retryAfterSeconds: 60, ...(asked === 1 ? { challenge } : {}) })
    })
    await signIn(page, 'asha@example.in', password)
    await page.see('Too many failed attempts. Please try again later.')
    expect(asked).toBe(2)
    // jsdom has no workers.
    vi.stubGlobal('Worker', undefined)
    server.reject(api.auth.signIn, new AppError('too-many', anySentence('Too many once more'), { retryAfterSeconds: 60, challenge }))
    await page.press('Sign in to Dashboard')
    await page.see('Too many once more')
  })

  test('says that cookies are blocked instead of a sign-in that ends at once', async () => {
    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
    const page = openPage('/login')
    await signIn(page, 'asha@example.in', password)
    await page.see('This browser blocks cookies. Allow them for this site to sign in.')
    expect(server.calls(api.auth.signIn)).toEqual([])
    expect((await page.field('Password')).value).toBe(password)
    vi.restoreAllMocks()
  })

  test('shows a login error when the server does not respond', async () => {
    const page = openPage('/login')
    server.disconnect(api.auth.signIn)
    await signIn(page, 'asha@example.in', password)
    await page.see('Login failed. Please try again.')
  })

  test('shows and hides the password, and links to support for a forgotten one [spec 2.22]', async () => {
    const page = openPage('/login')
    await page.fill('Password', password)
    const field = await page.field('Password')
    expect(field.type).toBe('password')
    await page.press('Show password')
    expect(field.type).toBe('text')
    await page.press('Hide password')
    expect(field.type).toBe('password')
    const link = await page.find('link', 'Forgot password?')
    expect(link.getAttribute('href')).toBe('https://t.me/tezi_support')
    expect(link.getAttribute('target')).toBe('_blank')
  })

  test('shows that it is busy, calls once, and opens the dashboard 1.5 s after the response [spec 2.26, 4.6]', async () => {
    // A user who lands on a screen without a chart.
    const user = makeUser('free', { mustChangePassword: true })
    const page = openPage('/login')
    const release = server.hold(api.auth.signIn)
    server.on(api.auth.signIn, () => ({
      success: true,
      message: 'Login successful',
      data: { sessionToken: server.startSession(user), user },
    }))
    answerSessionCalls()
    stopClock()
    await signIn(page, user.email, password)
    await page.pressBusy('Signing in...')
    release()
    await page.see('Login successful')
    await page.pressBusy('Signing in...')
    expect(server.calls(api.auth.signIn)).toHaveLength(1)
    await passTime(1400)
    expect(page.address()).toBe('/login')
    await passTime(100)
    await eventually(() => expect(page.address()).toBe('/'))
    await page.find('heading', 'Choose your own password')
    expect(localStorage.getItem('sessionToken')).toBe(`token-of-${user._id}`)
  })

  test('is skipped for a signed-in user', async () => {
    const page = openPage('/login', { as: makeUser('free', { mustChangePassword: true }) })
    await page.find('heading', 'Choose your own password')
    expect(page.address()).toBe('/')
  })
})

describe('login screen', () => {
  test('switches between the forms in the top bar and below the form [spec 2.1, 2.23, 2.24]', async () => {
    const page = openPage('/login')
    for (const place of ['banner', 'main'] as const) {
      await page.user.click(await page.find('link', 'Create an account', await page.find(place)))
      await page.find('button', 'Create Account')
      for (const label of ['Full name', 'Email', 'Phone', 'Password', 'Confirm password']) await page.field(label)
      expect((await page.find('form', 'Create your account')).querySelectorAll('input:not([type=checkbox])')).toHaveLength(5)
      await page.user.click(await page.find('link', 'Sign in', await page.find(place)))
      await page.find('button', 'Sign in to Dashboard')
      expect(page.all('textbox', 'Full name')).toEqual([])
    }
    await eventually(() => expect(document.title).toContain('Sign in'))
  })
})

describe('switching forms', () => {
  test.each([
    ['sign-in', 'Create an account'],
    ['sign-up', 'Sign in'],
  ])('from %s keeps the email and drops the password', async (mode, link) => {
    const page = openPage(mode === 'sign-up' ? '/login?mode=sign-up' : '/login')
    await page.fill('Email', 'asha@example.in')
    await page.fill('Password', password)
    if (mode === 'sign-up') await page.fill('Confirm password', password)
    await page.user.click(await page.find('link', link, await page.find('main')))
    await page.find('button', mode === 'sign-up' ? 'Sign in to Dashboard' : 'Create Account')
    expect((await page.field('Email')).value).toBe('asha@example.in')
    expect((await page.field('Password')).value).toBe('')
    if (mode === 'sign-in') expect((await page.field('Confirm password')).value).toBe('')
  })
})

describe('session', () => {
  test('continues, with a message, when signing out fails [spec 8.4]', async () => {
    const page = openPage('/', { as: makeUser('free', { mustChangePassword: true }) })
    server.disconnect(api.auth.signOut)
    await page.press('Sign Out')
    await page.see('Failed to sign out. Please try again.')
    expect(localStorage.getItem('sessionToken')).not.toBeNull()
    server.reject(api.auth.signOut, new AppError('internal', anySentence('Of the server')))
    await page.press('Sign Out')
    await page.see('Of the server')
    await page.find('heading', 'Choose your own password')
  })

  test.each([
    ['is known', () => server.on(api.auth.signOut, () => ({ success: true, message: 'Signed out successfully' }))],
    ['has forgotten it', () => server.endSession()],
  ])('ends here when the server %s', async (_, prepare) => {
    const page = openPage('/', { as: makeUser('free', { mustChangePassword: true }) })
    const signOut = await page.find('button', 'Sign Out')
    server.on(api.auth.signOut, () => ({ success: true, message: 'Signed out successfully' }))
    prepare()
    await page.user.click(signOut)
    await page.find('link', 'Start Analysis')
    expect(localStorage.getItem('sessionToken')).toBeNull()
    // A toast about it would precede this one.
    await eventually(() => expect(queryClient.isMutating()).toBe(0))
    toast({ kind: 'info', text: 'The last message' })
    await page.see('The last message')
    expect(page.has('Please sign in to continue')).toBe(false)
  })

  test('that fails to load at startup shows the landing page, and logs the reason to the console only [spec 4.8]', async () => {
    const user = makeUser('free')
    localStorage.setItem('sessionToken', server.startSession(user))
    server.reject(api.users.me, new AppError('internal', anySentence('Broken')))
    const page = openPage('/')
    await page.find('link', 'Start Analysis')
    expect(page.has('Broken')).toBe(false)
    expect(takeLoggedErrors()).toEqual([expect.stringContaining('The signed-in user could not be loaded')])
  })
})
