// Which calendars cause a warning, and its text.
import { expect, test } from 'vitest'
import type { MarketCalendar } from '#shared/market-admin/contract.ts'
import { calendarWarnings } from './calendar-warnings.ts'

const nse: MarketCalendar = {
  sessionClasses: ['nse-equity', 'nse-index'],
  version: '2026-11-21',
  coveredUntil: '2026-12-31',
  daysLeft: null,
}
const crypto: MarketCalendar = { sessionClasses: ['crypto'], version: '2026-11-21', coveredUntil: null, daysLeft: null }

test.each([
  [null, []],
  [29, ["The NSE calendar runs out in 29 days. Import next year's holiday list."]],
  [1, ["The NSE calendar runs out in 1 day. Import next year's holiday list."]],
  [0, ["The NSE calendar has no holidays after 31 Dec 2026. Import next year's holiday list."]],
])('with %s days left the warnings are %j', (daysLeft, sentences) => {
  expect(calendarWarnings([{ ...nse, daysLeft }, crypto])).toEqual(sentences)
})

test('each calendar has its own sentence', () => {
  const bse: MarketCalendar = { ...nse, sessionClasses: ['bse-index'], daysLeft: 3 }
  expect(calendarWarnings([{ ...nse, daysLeft: 3 }, bse]).map((sentence) => sentence.slice(0, 25))).toEqual([
    'The NSE calendar runs out',
    'The BSE calendar runs out',
  ])
})
