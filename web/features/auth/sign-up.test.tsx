// Sign-up form: order of the rules, consent, phone field, and return to sign-in.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { descriptionOf, expectFocus, issueOf } from '#web/testing/see.ts'

const password = 'Kesar-Chai-42'
const adult = 'I am 18 or older.'
const agreement = 'I agree that my data is used as the privacy notice says.'
const filled = { 'Full name': 'Asha Rao', Email: 'asha@example.in', Phone: '9876543210', Password: password, 'Confirm password': password }

async function fillAll(page: Page, change: Partial<Record<keyof typeof filled, string>> = {}): Promise<void> {
  for (const [label, text] of Object.entries({ ...filled, ...change })) await page.fill(label, text)
}

async function agree(page: Page): Promise<void> {
  for (const label of [adult, agreement]) await page.user.click(await page.field(label))
}

async function openFilled(): Promise<Page> {
  const page = openPage('/login?mode=sign-up')
  await fillAll(page)
  await agree(page)
  return page
}

describe('sign-up form', () => {
  test.each([
    [{ Email: '' }, 'Email', 'Please fill in all required fields'],
    [{ Password: '' }, 'Password', 'Please fill in all required fields'],
    [{ Email: 'asha' }, 'Email', 'Please enter a valid email address'],
    [{ 'Full name': ' ' }, 'Full name', 'Please fill in all fields'],
    [{ Phone: '' }, 'Phone', 'Please fill in all fields'],
    [{ 'Confirm password': '' }, 'Confirm password', 'Please fill in all fields'],
    [{ Phone: '98765' }, 'Phone', 'Phone number must be 10 digits'],
    [{ 'Confirm password': 'another' }, 'Confirm password', 'Passwords do not match'],
    [{ Password: 'short', 'Confirm password': 'short' }, 'Password', 'Password must be at least 6 characters long'],
  ])('with %j shows at %s: %s', async (change, label, sentence) => {
    const page = openPage('/login?mode=sign-up')
    await fillAll(page, change)
    await page.press('Create Account')
    await page.see(sentence)
    const field = await page.field(label)
    expect(issueOf(field)).toBe(sentence)
    await expectFocus(field)
    expect(server.calls(api.auth.signUp)).toEqual([])
  })

  test('requires age and consent, by two boxes that start empty, after the rules of the fields', async () => {
    const page = openPage('/login?mode=sign-up')
    const boxes = [await page.field(adult), await page.field(agreement)] as const
    expect(boxes.map((box) => box.checked)).toEqual([false, false])
    await fillAll(page, { Phone: '98765' })
    await page.press('Create Account')
    await page.see('Phone number must be 10 digits')
    expect(page.has('Please confirm that you are 18 or older')).toBe(false)
    await page.fill('Phone', '9876543210')
    await page.press('Create Account')
    await page.see('Please confirm that you are 18 or older')
    await expectFocus(boxes[0])
    await page.user.click(boxes[0])
    await page.seeNoMore('Please confirm that you are 18 or older')
    await page.press('Create Account')
    await page.see('Please read the privacy notice and agree to it')
    expect(issueOf(boxes[1]) ?? descriptionOf(boxes[1])).toBe('Please read the privacy notice and agree to it')
    expect((await page.find('link', 'Read the privacy notice')).getAttribute('href')).toBe('/privacy')
    expect(server.calls(api.auth.signUp)).toEqual([])
  })

  test('keeps only the digits of a phone number, ten at most, with a hint while it is too short [spec 5.3]', async () => {
    const page = openPage('/login?mode=sign-up')
    const field = await page.field('Phone')
    expect(descriptionOf(field)).toBe('10 digits, without the country code')
    await page.fill('Phone', '98765 4321')
    expect(descriptionOf(field)).toBe('Phone number must be 10 digits')
    expect((await page.see('Phone number must be 10 digits')).className).toContain('text-warn')
    expect(issueOf(field)).toBeUndefined()
    await page.fill('Phone', '98765 43210 99')
    expect(field.value).toBe('9876543210')
    expect(descriptionOf(field)).toBe('')
    await page.user.clear(field)
    await page.user.paste('+91 98765-43210')
    expect(field.value).toBe('9876543210')
  })

  test.each(['+919876543210', '919876543210', '09876543210', '९८७६५४३२१०'])('reads %s typed key by key as ten digits', async (keys) => {
    const page = openPage('/login?mode=sign-up')
    const field = await page.field('Phone')
    await page.user.type(field, keys)
    expect(field.value).toBe('9876543210')
    expect(descriptionOf(field)).toBe('')
  })

  test('keeps a number that begins with 91, and hints at one that begins as no mobile does', async () => {
    const page = openPage('/login?mode=sign-up')
    const field = await page.field('Phone')
    await page.user.type(field, '9198765432')
    expect([field.value, descriptionOf(field)]).toEqual(['9198765432', ''])
    await page.user.type(field, '1')
    expect([field.value, descriptionOf(field)]).toEqual(['91987654321', 'Phone number must be 10 digits'])
    await page.fill('Phone', '2876543210')
    expect([field.value, descriptionOf(field)]).toEqual(['2876543210', 'Mobile numbers in India begin with 6 to 9'])
  })

  test('is sent once by two clicks at once', async () => {
    const page = await openFilled()
    server.on(api.auth.signUp, () => ({ success: true, message: 'Account created' }))
    const button = await page.find('button', 'Create Account')
    button.click()
    // As between two events of the browser: microtasks, but no task.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    button.click()
    await page.find('button', 'Sign in to Dashboard')
    expect(server.calls(api.auth.signUp)).toHaveLength(1)
  })

  test.each([
    [
      'about a field',
      new AppError('conflict', 'auth.emailTaken', { fields: { email: 'auth.emailTaken' } }),
      'An account with this email already exists',
      'Email',
    ],
    [
      'about the form',
      new AppError('too-many', 'auth.tooManySignUps'),
      'Too many new accounts from this address. Please try again later.',
      undefined,
    ],
  ])('shows an error %s', async (_, error, sentence, label) => {
    const page = await openFilled()
    server.reject(api.auth.signUp, error)
    await page.press('Create Account')
    await page.see(sentence)
    if (label !== undefined) expect(issueOf(await page.field(label))).toBe(sentence)
    expect((await page.field('Full name')).value).toBe('Asha Rao')
  })

  test.each([
    ['{"errorMessage":"Of an odd server"}', 'Of an odd server'],
    ['{}', 'Signup failed'],
    ['<html>Bad gateway</html>', 'Signup failed'],
  ])('handles the malformed response %s', async (text, sentence) => {
    const page = await openFilled()
    server.answerRaw(api.auth.signUp, { status: 502, text })
    await page.press('Create Account')
    await page.see(sentence)
    await page.find('button', 'Create Account')
  })

  test('shows an error without a response', async () => {
    const page = await openFilled()
    server.disconnect(api.auth.signUp)
    await page.press('Create Account')
    await page.see('Failed to fetch')
  })

  test('creates the account, keeps the email in the sign-in form, and after 1.5 s asks to log in [spec 2.25, 4.7]', async () => {
    const page = await openFilled()
    await page.fill('Email', ' Asha@Example.in ')
    const release = server.hold(api.auth.signUp)
    server.on(api.auth.signUp, () => ({ success: true, message: 'Account created successfully' }))
    stopClock()
    await page.press('Create Account')
    await page.pressBusy('Creating account...')
    release()
    await page.find('button', 'Sign in to Dashboard')
    await page.see('Account created successfully')
    expect(server.calls(api.auth.signUp).map(({ body }) => body)).toEqual([
      {
        name: 'Asha Rao',
        email: 'asha@example.in',
        phone: '9876543210',
        password,
        confirmPassword: password,
        consent: { noticeVersion: '2026-11-25', isAdult: true },
      },
    ])
    expect(page.address()).toBe('/login')
    expect((await page.field('Email')).value.trim().toLowerCase()).toBe('asha@example.in')
    expect((await page.field('Password')).value).toBe('')
    await passTime(1400)
    expect(page.has('Please log in with your new account')).toBe(false)
    await passTime(100)
    await page.see('Please log in with your new account')
  })
})
