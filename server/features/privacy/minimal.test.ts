// Data minimisation: who is online is visible to admins only, and chart requests contain no user data.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { premiumColumns, testApp, type TestApp } from '#server/testing/app.ts'
import { addMember, type Member } from '#server/testing/subscriptions.ts'
import { timeframes } from '#shared/candles/timeframe.ts'
import { widgetUrl } from '#shared/chart/widget-url.ts'

let server: TestApp
let member: Member
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  member = await addMember(server, { ...premiumColumns, name: 'Asha Unusual', email: 'unusual@example.in', phone: '9123456780' })
})
afterAll(() => server.close())

test('who is online is denied to everyone except admins, who get only id, name and email', async () => {
  await member.browser.client.presence.beOnline({ body: { tabId: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01' } })
  for (const browser of [server.browser(), member.browser]) {
    const response = await browser.send({ method: 'GET', path: '/api/v1/admin/getOnlineUsers' })
    expect([401, 403]).toContain(response.statusCode)
    expect(response.body).not.toContain('unusual')
  }
  const admin = await addMember(server, { role: 'admin' })
  const { onlineUsers } = await admin.browser.client.presence.online()
  expect(onlineUsers).toEqual([{ id: member.id, name: 'Asha Unusual', email: 'unusual@example.in' }])
})

test.each(['nifty', 'eur-usd'])('the chart configuration of %s and its URL contain no user data', async (slug) => {
  const response = await member.browser.send({ method: 'GET', path: `/api/v1/market/charts/${slug}` })
  expect(response.statusCode).toBe(200)
  const { data } = response.json<{ data: { symbol: string; studies: string[] } }>()
  const addresses = timeframes.map((timeframe) =>
    decodeURIComponent(widgetUrl({ symbol: data.symbol, timeframe, zone: 'Asia/Kolkata', studies: data.studies })),
  )
  for (const trace of [member.id, 'Unusual', 'unusual@', '9123456780', member.browser.sessionToken ?? ''])
    for (const text of [response.body, ...addresses]) expect(text).not.toContain(trace)
})
