// Code entry at sign-in: validation, server messages, switching the kind of code, and success.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import { makeUser } from '#shared/testing/user.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { answerSessionCalls, openPage } from '#web/testing/render.tsx'
import { expectFocus, issueOf } from '#web/testing/see.ts'

const challenge = 'C'.repeat(43)
const user = makeUser('free', { mustChangePassword: true })

async function openCode(): Promise<Page> {
  server.on(api.auth.signIn, () => ({ success: false, message: 'Enter your code', data: { challenge } }))
  server.on(api.factors.passkeyOptions, () => ({ success: true, data: { options: null } }))
  const page = openPage('/login')
  await page.fill('Email', user.email)
  await page.fill('Password', 'Kesar-Chai-42')
  await page.press('Sign in to Dashboard')
  await page.find('heading', 'Enter your code')
  return page
}

describe('code form at sign-in', () => {
  test('replaces the password form, is focused, and supports autofill of one-time codes', async () => {
    const page = await openCode()
    const field = await page.field('Code')
    await expectFocus(field)
    expect([field.autocomplete, field.inputMode]).toEqual(['one-time-code', 'numeric'])
    expect(page.all('textbox', 'Email')).toEqual([])
    expect(localStorage.getItem('sessionToken')).toBeNull()
  })

  test("validates the format, and shows the server's message", async () => {
    const page = await openCode()
    for (const text of ['', '12345', 'abcdef']) {
      await page.fill('Code', text)
      await page.press('Sign in')
      await page.see('Enter the 6 digits of your app, or a recovery code.')
    }
    expect(server.calls(api.auth.secondFactor)).toEqual([])
    server.reject(api.auth.secondFactor, new AppError('unauthenticated', 'factors.codeWrong'))
    await page.fill('Code', '123456')
    await page.press('Sign in')
    await page.see('This code is wrong or has been used. Enter the newest code of your app.')
    expect(issueOf(await page.field('Code'))).toBe(factorsText.codeWrong)
    server.disconnect(api.auth.secondFactor)
    await page.press('Sign in')
    await page.see('The code could not be checked. Please try again.')
  })

  test('returns to the password when the sign-in has expired, or on request', async () => {
    const page = await openCode()
    server.reject(api.auth.secondFactor, new AppError('unauthenticated', 'factors.challengeEnded'))
    await page.fill('Code', '123456')
    await page.press('Sign in')
    await page.see('This sign-in has expired. Enter your password again.')
    expect((await page.field('Email')).value).toBe(user.email)
    expect((await page.field('Password')).value).toBe('')
    await page.fill('Password', 'Kesar-Chai-42')
    await page.press('Sign in to Dashboard')
    await page.press('Back to sign in')
    await page.find('button', 'Sign in to Dashboard')
    expect((await page.field('Email')).value).toBe(user.email)
  })

  test('uses a text keyboard for a recovery code', async () => {
    const page = await openCode()
    server.reject(api.auth.secondFactor, new AppError('unauthenticated', 'factors.codeWrong'))
    await page.press('Use a recovery code')
    const field = await page.field('Recovery code')
    await expectFocus(field)
    expect([field.autocomplete, field.inputMode, field.value]).toEqual(['off', 'text', ''])
    await page.fill('Recovery code', 'abcdef-ghjkmn-pqrstu-vwxyz2')
    await page.press('Sign in')
    await page.see(factorsText.codeWrong)
    expect(server.calls(api.auth.secondFactor)[0]?.body).toEqual({ challenge, code: 'abcdef-ghjkmn-pqrstu-vwxyz2' })
    await page.press('Use a code from your app')
    expect((await page.field('Code')).value).toBe('')
  })

  test('shows that it is busy, calls once, and opens the dashboard 1.5 s after the response', async () => {
    const page = await openCode()
    const release = server.hold(api.auth.secondFactor)
    server.on(api.auth.secondFactor, () => ({
      success: true,
      message: 'Login successful',
      data: { sessionToken: server.startSession(user), user },
    }))
    answerSessionCalls()
    stopClock()
    await page.fill('Code', '123 456')
    await page.press('Sign in')
    await page.pressBusy('Checking...')
    release()
    await page.see('Login successful')
    expect(server.calls(api.auth.secondFactor)).toHaveLength(1)
    await passTime(1400)
    expect(page.address()).toBe('/login')
    await passTime(100)
    await eventually(() => expect(page.address()).toBe('/'))
    expect(localStorage.getItem('sessionToken')).toBe(`token-of-${user._id}`)
  })
})
