// Email address: unconfirmed note, change form, and the page of the confirmation link.
import { beforeEach, describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { eventually } from '#web/testing/eventually.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'

const note = /Your email address is not confirmed yet/

describe('account page', () => {
  beforeEach(answerAccountPage)

  test('shows nothing about email when the server sends none', async () => {
    const page = openPage('/account', { as: 'free' })
    await page.find('heading', 'Account')
    await eventually(() => expect(server.calls(api.email.state)).toHaveLength(1))
    await page.find('form', 'Change password')
    expect(page.all('form', 'Change email')).toEqual([])
  })

  test('asks for confirmation and sends the email again', async () => {
    server.on(api.email.state, () => ({ success: true, data: { isConfirmed: false, hasMail: true, endsAt: '2026-11-27T06:00:00.000Z' } }))
    server.on(api.email.sendAgain, () => ({ success: true, message: 'We have sent you a link. It works for 24 hours.' }))
    const page = openPage('/account', { as: 'free' })
    await page.see(note)
    await page.see(/erased on 27/)
    await page.press('Send again')
    await page.see('We have sent you a link. It works for 24 hours.')
  })

  test('shows an error at the field of a new address, then that a link was sent', async () => {
    server.on(api.email.state, () => ({ success: true, data: { isConfirmed: true, hasMail: true, endsAt: null } }))
    const taken = 'An account with this email already exists'
    server.reject(api.email.change, new AppError('conflict', anySentence(taken), { fields: { email: anySentence(taken) } }))
    const page = openPage('/account', { as: 'free' })
    await page.find('form', 'Change email')
    expect(document.body.textContent).not.toMatch(note)
    await page.fill('New email', 'new@example.in')
    await page.press('Send link')
    await page.see(taken)
    server.on(api.email.change, () => ({ success: true, message: 'Sent' }))
    await page.press('Send link')
    await page.see('Sent')
    expect(server.calls(api.email.change).map(({ body }) => body.email)).toEqual(['new@example.in', 'new@example.in'])
  })
})

describe('confirmation page', () => {
  test('without a token explains what to do', async () => {
    const page = openPage('/confirm-email')
    await page.see(/This link is incomplete/)
  })

  test("hides the token, waits for a click, and shows the server's message", async () => {
    server.reject(api.email.confirm, new AppError('invalid', anySentence('This link has been used')))
    const page = openPage('/confirm-email#token=abc')
    await page.find('button', 'Confirm')
    expect(page.address()).toBe('/confirm-email')
    expect(server.calls(api.email.confirm)).toEqual([])
    await page.press('Confirm')
    await page.see('This link has been used')
    server.on(api.email.confirm, () => ({ success: true, message: 'Your email address is confirmed' }))
    await page.press('Confirm')
    await page.see('Your email address is confirmed')
    expect(server.calls(api.email.confirm).map(({ body }) => body.token)).toEqual(['abc', 'abc'])
  })
})
