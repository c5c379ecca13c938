// Import of a holiday list through the API: access, validation, preview, effect in another process, and audit log.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { appliedCalendarLists, applyCalendarLists } from '#shared/trading-hours/exchange-calendar.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { calendarReader } from './service.ts'

const path = '/api/v1/admin/market/calendar'
const head = 'exchange: nse, bse\nfrom: 2027-01-01\nuntil: 2027-12-31\nsource: NSE/CMTR/70000 of 11 December 2026\n'
const list = `${head}2027-01-26, Republic Day\n2027-03-22, Holi\n2027-10-29, Diwali, 18:00-19:00\n`

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterEach(async () => {
  applyCalendarLists([])
  await server.database.db.deleteFrom('calendar_lists').execute()
})
afterAll(() => server.close())

const send = (browser: Browser, text: unknown, isPreview: boolean) => browser.send({ method: 'POST', path, body: { text, isPreview } })
const stored = () => server.database.db.selectFrom('calendar_lists').select('exchange').orderBy('exchange').execute()
const audited = () =>
  server.database.db.selectFrom('audit_log').selectAll().where('action', '=', 'calendar-imported').orderBy('id').execute()

it('is denied to visitors, users and premium users', async () => {
  expect((await send(server.browser(), list, false)).statusCode).toBe(401)
  for (const values of [{}, premiumColumns]) expect((await send(await server.signedIn(values), list, false)).statusCode).toBe(403)
  expect(await stored()).toEqual([])
})

it.each<readonly [string, unknown, unknown]>([
  ['no text', 5, expect.any(String)],
  ['too long a text', 'x'.repeat(10_001), expect.any(String)],
  ['another exchange', 'exchange: lse', 'Name the exchange: a line such as "exchange: nse, bse".'],
  ['a wrong date', `${head}tomorrow, Holi`, 'Line 5: begin with a date such as 2027-01-26 or 26-Jan-2027.'],
  ['a gap', list.replaceAll('2027-', '2028-'), 'The list has to begin by 2027-01-01: the days before it would have no list.'],
  ['the past', list.replaceAll('2027-', '2025-'), expect.stringMatching(/^The list ends before 20/)],
])('rejects %s', async (_, text, issue) => {
  const answer = await send(await server.signedIn({ role: 'admin' }), text, false)
  expect([answer.statusCode, answer.json().fields]).toEqual([400, { text: issue }])
  expect([await stored(), await audited()]).toEqual([[], []])
})

it('needs a recent password to import, not to preview', async () => {
  const admin = await server.signedIn({ role: 'admin' })
  server.clock.nowMs += 16 * 60_000
  expect((await send(admin, list, true)).statusCode).toBe(200)
  const answer = await send(admin, list, false)
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'admin.confirmPassword'])
  expect(await stored()).toEqual([])
})

it('previews without an effect, imports once, reaches other processes and charts, and is audited', async () => {
  const admin = await server.signedIn({ role: 'admin' })
  const { data } = await admin.client.calendarImport.importList({ body: { text: list, isPreview: true } })
  expect(data.map(({ exchange, from, until }) => [exchange, from, until])).toEqual([
    ['nse', '2027-01-01', '2027-12-31'],
    ['bse', '2027-01-01', '2027-12-31'],
  ])
  expect(data[0]?.changes).toEqual([
    { date: '2027-01-26', name: 'Republic Day', hours: 'closed', change: 'added' },
    { date: '2027-03-22', name: 'Holi', hours: 'closed', change: 'added' },
    { date: '2027-10-29', name: 'Diwali', hours: '18:00-19:00', change: 'added' },
  ])
  expect([await stored(), appliedCalendarLists()]).toEqual([[], []])

  await admin.client.calendarImport.importList({ body: { text: list, isPreview: false } })
  expect(await stored()).toEqual([{ exchange: 'bse' }, { exchange: 'nse' }])
  expect(calendarOf('nse-index').sessionOn('2027-03-22')).toBeNull()
  expect((await audited()).map(({ target, details }) => [target, details])).toEqual(
    ['NSE', 'BSE'].map((target) => [
      target,
      { from: '2027-01-01', until: '2027-12-31', source: 'NSE/CMTR/70000 of 11 December 2026', holidays: 2, specialSessions: 1 },
    ]),
  )
  const overview = await admin.client.marketAdmin.overview()
  expect(overview.data.calendars[0]).toMatchObject({ coveredUntil: '2027-12-31', daysLeft: null })
  expect((await admin.client.chart.config({ params: { slug: 'nifty' } })).data.calendars.map(({ exchange }) => exchange)).toEqual([
    'bse',
    'nse',
  ])

  // What another process does: it knows nothing, and reads the table.
  applyCalendarLists([])
  const look = calendarReader(server.database.db)
  await look()
  expect(calendarOf('nse-index').sessionOn('2027-03-22')).toBeNull()

  const again = await admin.client.calendarImport.importList({
    body: { text: list.replace('Holi\n', 'Holi\n2027-04-09, Election\n'), isPreview: false },
  })
  expect(again.data[0]?.changes.map(({ change }) => change)).toEqual(['same', 'same', 'added', 'same'])
  applyCalendarLists([])
  await look()
  expect(calendarOf('bse-index').sessionOn('2027-04-09')).toBeNull()
})
