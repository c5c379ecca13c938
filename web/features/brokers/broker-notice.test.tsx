// Notice above the charts when the user's broker no longer delivers prices.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage, renderUi } from '#web/testing/render.tsx'
import { answerBroker, answerCharts } from '#web/testing/screens.ts'
import { BrokerNotice } from './broker-notice.tsx'

const kite: BrokerConnection = {
  broker: 'kite',
  state: 'connected',
  address: null,
  connectedAt: '2026-11-20T06:00:00.000Z',
  expiresAt: '2026-11-21T00:30:00.000Z',
  message: null,
}
const hasEnded = text.chartNotice.expired(text.names.kite)

function openChart(path: string, connection: BrokerConnection | null, as: 'free' | 'premium' = 'premium'): Page {
  answerCharts()
  answerBroker(connection)
  return openPage(path, { as })
}

test.each([
  ['an ended session', '/reliance', { ...kite, state: 'expired' }, hasEnded],
  ['a refused session', '/', { ...kite, state: 'error' }, text.chartNotice.error(text.names.kite)],
  ['a refused key', '/sensex', { ...kite, broker: 'openalgo', state: 'error' }, text.chartNotice.error(text.names.openalgo)],
] as const)('%s shows a notice above an Indian chart, with a link to the account page', async (_, path, connection, words) => {
  const page = openChart(path, connection)
  await page.see(words)
  expect((await page.find('link', text.chartNoticeLink)).getAttribute('href')).toBe('/account')
})

test.each([
  ['without a connection', null],
  ['with one that works', kite],
  ['with a sign-in that was never finished', { ...kite, state: 'login', expiresAt: null }],
] as const)('%s shows no notice', async (_, connection) => {
  openChart('/reliance', connection)
  await eventually(() => expect(server.calls(api.brokers.state)).toHaveLength(1))
  expect(document.querySelector('[data-testid=broker-notice]')).toBeNull()
})

test.each([
  ['a currency, which brokers do not have', '/eur-usd', 'premium'],
  ['a user without premium', '/', 'free'],
] as const)('no request is made for %s', async (_, path, kind) => {
  const page = openChart(path, { ...kite, state: 'expired' }, kind)
  await page.find('heading', path === '/' ? /NIFTY/ : /EUR\/USD/)
  expect(server.calls(api.brokers.state)).toEqual([])
})

test('a session that ends while the chart is open is detected', async () => {
  stopClock(Date.parse(kite.expiresAt ?? '') - 60_000)
  answerBroker(kite)
  const page = renderUi(<BrokerNotice accountPath="/account" />, { as: 'premium' })
  await eventually(() => expect(server.calls(api.brokers.state)).toHaveLength(1))
  answerBroker({ ...kite, state: 'expired' })
  await passTime(62_000)
  await page.see(hasEnded)
})
