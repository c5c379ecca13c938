// Broker section of the account page: all states and their actions.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import type { BrokerConnection, BrokerState } from '#shared/brokers/contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { makeUser } from '#shared/testing/user.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import { openPage, renderUi } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { eventually } from '#web/testing/eventually.ts'
import { issueOf } from '#web/testing/see.ts'
import { BrokerSection } from './broker-section.tsx'

const redirectUrl = 'https://tezi.example/account/broker'
const connected: BrokerConnection = {
  broker: 'kite',
  state: 'connected',
  address: null,
  connectedAt: '2026-11-20T06:00:00.000Z',
  expiresAt: '2026-11-21T00:30:00.000Z',
  message: null,
}

function open(state: Partial<BrokerState>, kind: 'free' | 'premium' = 'premium') {
  server.on(api.brokers.state, () => ({
    success: true,
    data: { isOffered: true, hasKiteApp: false, redirectUrl, connection: null, ...state },
  }))
  const visited: string[] = []
  const user = makeUser(kind)
  return { page: renderUi(<BrokerSection user={user} goTo={(url) => void visited.push(url)} />, { as: user }), visited }
}

test('shows a load error and can be retried', async () => {
  server.reject(api.brokers.state, new AppError('internal', anySentence('Of the server')))
  const user = makeUser('premium')
  const page = renderUi(<BrokerSection user={user} />, { as: user })
  await page.see('Of the server')
  server.on(api.brokers.state, () => ({ success: true, data: { isOffered: false, hasKiteApp: false, redirectUrl, connection: null } }))
  await page.press('Try again')
  await eventually(() => expect(page.all('button', 'Try again')).toEqual([]))
})

test.each([
  [false, 0],
  [true, 1],
])('where brokers are offered: %j, the section has %d headings', async (isOffered, count) => {
  server.on(api.brokers.state, () => ({ success: true, data: { isOffered, hasKiteApp: false, redirectUrl, connection: null } }))
  const user = makeUser('premium')
  const page = renderUi(<BrokerSection user={user} frame={(content) => <section aria-label={text.title}>{content}</section>} />, {
    as: user,
  })
  await eventually(() => {
    expect([server.calls(api.brokers.state).length, queryClient.isFetching()]).toEqual([1, 0])
    expect(page.all('region', text.title)).toHaveLength(count)
  })
})

test.each([['a user without premium', {}, 'free', text.needsPremium]] as const)(
  '%s shows a sentence and no form',
  async (_, state, kind, sentence) => {
    const { page } = open(state, kind)
    await page.see(sentence)
    expect(page.all('form')).toEqual([])
  },
)

test('Zerodha: shows the redirect URL, shows errors at their fields, and opens the login', async () => {
  const { page, visited } = open({})
  const form = await page.find('form', text.chooseKite)
  expect((await page.field('Redirect URL', form)).value).toBe(redirectUrl)
  await page.find('button', text.copyRedirectUrl, form)
  const wrong = new AppError('invalid', 'brokers.fillKey', { fields: { apiKey: 'brokers.fillKey' } })
  server.reject(api.brokers.connectKite, wrong)
  await page.press('Connect Zerodha')
  await page.see(text.fillKey)
  expect(issueOf(await page.field('API key', form))).toBe(text.fillKey)
  server.reject(api.brokers.connectKite, new AppError('too-many', 'brokers.tooMany'))
  await page.fill('API key', 'key', form)
  await page.fill('API secret', 'secret', form)
  await page.press('Connect Zerodha')
  await page.see(text.tooMany)
  server.on(api.brokers.connectKite, () => ({ success: true, data: { loginUrl: 'https://kite.test/login' } }))
  await page.press('Connect Zerodha')
  await eventually(() => expect(visited).toEqual(['https://kite.test/login']))
  expect(server.calls(api.brokers.connectKite).at(-1)?.body).toEqual({ apiKey: 'key', apiSecret: 'secret' })
})

test('shows no key fields when the operator has an app', async () => {
  const { page } = open({ hasKiteApp: true })
  const form = await page.find('form', text.chooseKite)
  expect(page.all('textbox', undefined, form)).toEqual([])
})

test('OpenAlgo: shows errors at their fields, and the connection', async () => {
  const { page } = open({})
  const form = await page.find('form', text.chooseOpenAlgo)
  server.reject(api.brokers.connectOpenAlgo, new AppError('invalid', 'brokers.badUrl', { fields: { url: 'brokers.badUrl' } }))
  await page.fill('Address', 'http://10.0.0.1', form)
  await page.press('Connect OpenAlgo')
  await page.see(text.badUrl)
  expect(issueOf(await page.field('Address', form))).toBe(text.badUrl)
  server.reject(api.brokers.connectOpenAlgo, new AppError('conflict', 'brokers.alreadyConnected'))
  await page.press('Connect OpenAlgo')
  await page.see(text.alreadyConnected)
  const connection = { ...connected, broker: 'openalgo', address: 'https://algo.example.in', expiresAt: null } as const
  server.on(api.brokers.connectOpenAlgo, () => {
    server.on(api.brokers.state, () => ({ success: true, data: { isOffered: true, hasKiteApp: false, redirectUrl, connection } }))
    return { success: true, message: text.isConnected }
  })
  await page.press('Connect OpenAlgo')
  await page.see('https://algo.example.in')
  expect(page.all('button', text.renew)).toEqual([])
})

test.each([
  ['connected', null, text.connectedNote, 'Renew'],
  ['expired', text.expiredNote, text.expiredNote, 'Renew'],
  ['error', text.refusedKite, text.refusedKite, 'Renew'],
  ['login', text.loginNote, text.loginNote, 'Sign in at Zerodha'],
] as const)('a connection that is %s shows its state and is renewed with one click', async (state, message, note, button) => {
  const { page, visited } = open({ connection: { ...connected, state, message } })
  await page.see(text.state[state])
  await page.see(note)
  server.on(api.brokers.renewKite, () => ({ success: true, data: { loginUrl: 'https://kite.test/again' } }))
  await page.press(button)
  await eventually(() => expect(visited).toEqual(['https://kite.test/again']))
})

test('without premium a connection is paused and can still be disconnected, after a confirmation', async () => {
  const { page } = open({ connection: connected }, 'free')
  await page.see(text.paused)
  expect(page.all('button', 'Renew')).toEqual([])
  server.on(api.brokers.disconnect, () => {
    server.on(api.brokers.state, () => ({ success: true, data: { isOffered: true, hasKiteApp: false, redirectUrl, connection: null } }))
    return { success: true, message: text.isDisconnected }
  })
  await page.press('Disconnect')
  await page.press('Disconnect', await page.find('alertdialog'))
  await page.see(text.needsPremium)
})

test('on return from Zerodha the login is completed once, and the token is removed from the address', async () => {
  answerAccountPage()
  server.on(api.brokers.finishKite, () => ({ success: true, message: text.isConnected }))
  const page = openPage('/account/broker?action=login&status=success&request_token=abc&state=xyz', { as: 'premium' })
  await page.find('heading', 'Account')
  expect(page.address()).toBe('/account')
  expect(server.calls(api.brokers.finishKite).map(({ body }) => body)).toEqual([{ requestToken: 'abc', state: 'xyz' }])
})

test('a cancelled login shows a message', async () => {
  const page = openPage('/account/broker?status=failed', { as: 'premium' })
  await page.see(text.returnCancelled)
})

test('a rejected login shows a message', async () => {
  server.reject(api.brokers.finishKite, new AppError('conflict', 'brokers.loginState'))
  const page = openPage('/account/broker?status=success&request_token=abc&state=old', { as: 'premium' })
  await page.see(text.loginState)
  expect(page.address()).toBe('/account/broker')
})
