// The warning about a calendar keeps its space from one visit to the next.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { dayMs } from '#shared/base/durations.ts'
import { browserStorage } from '#web/lib/browser-storage.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'

const key = 'calendarWarnings'
const warning = 'The NSE calendar runs out in 40 days.'

test('the warning of the last visit is shown while the calendars load, and goes when it is no longer true', async () => {
  answerAdminPages()
  browserStorage.set(key, JSON.stringify([warning]))
  const release = server.hold(api.marketAdmin.overview)
  const page = openPage('/admin', { as: 'admin' })
  await page.see(warning)
  release()
  await eventually(() => expect(page.all('link', 'Market Data')).toHaveLength(1))
  expect(browserStorage.get(key)).toBe('[]')
})

test.each([undefined, 'no json', '{"a":1}', '[7]'])('nothing is shown for %j in the storage', async (kept) => {
  answerAdminPages()
  if (kept !== undefined) browserStorage.set(key, kept)
  server.hold(api.marketAdmin.overview)
  const page = openPage('/admin', { as: 'admin' })
  await page.see('Expiring in 7 days')
  expect(page.all('link', 'Market Data')).toHaveLength(1)
})

test('the notice can be closed for a week', async () => {
  answerAdminPages()
  browserStorage.set(key, JSON.stringify([warning]))
  server.hold(api.marketAdmin.overview)
  const page = openPage('/admin', { as: 'admin' })
  await page.see(warning)
  await page.press('Close for a week')
  await eventually(() => expect(page.all('button', 'Close for a week')).toEqual([]))
  const untilMs = Number(browserStorage.get('calendarNoticeClosedUntil'))
  expect(untilMs - Date.now()).toBeGreaterThan(6 * dayMs)
})
