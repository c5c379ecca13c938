// The Market Data page labels prices as the chart does, at the time of its report.
import { expect, test } from 'vitest'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { renderUi } from '#web/testing/render.tsx'
import { MarketStatusCell } from './series-table.tsx'

const condition: LiveCondition = {
  label: { mode: 'live', source: 'Binance', delayMinutes: 0, proxy: 'PAX Gold token (PAXG)' },
  sessionClass: 'metals',
  isStale: false,
  reason: null,
}

test.each([
  ['2026-11-20T12:00:00+05:30', {}, ['LIVE', 'PROXY: PAX Gold token (PAXG)', 'Binance']],
  ['2026-11-22T12:00:00+05:30', {}, ['CLOSED (opens Mon 4:30 AM)', 'PROXY: PAX Gold token (PAXG)', 'Binance']],
  ['2026-11-20T12:00:00+05:30', { isStale: true }, ['PROXY: PAX Gold token (PAXG)', 'STALE', 'Binance']],
])('at %s with %j', (at, given, texts) => {
  renderUi(<MarketStatusCell condition={{ ...condition, ...given }} nowMs={Date.parse(at)} />)
  expect([...document.querySelectorAll('div > span > span')].map((badge) => badge.textContent)).toEqual(texts)
})
