// A Tezi chart without prices says what to do; which source fails is for admins.
import { expect, test } from 'vitest'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { renderUi } from '#web/testing/render.tsx'
import { ConditionBadge } from '../market-status-badge.tsx'
import { NoSourceCard } from './no-source-card.tsx'

const condition = (reason: string | null): LiveCondition => ({ label: null, sessionClass: 'fx', isStale: false, reason })
const noSource = 'There is no source of prices for this instrument at the moment.'
const sourceError = 'Coinbase: no connection within 8 seconds'

test.each([
  ['user', null, noSource],
  ['user', sourceError, noSource],
  ['user', 'Looking for prices.', 'Looking for prices.'],
  ['admin', null, noSource],
  ['admin', sourceError, `${sourceError}.`],
] as const)('shows a %s the reason %j as %j', async (kind, reason, text) => {
  let retries = 0
  const isAdmin = kind === 'admin'
  const page = renderUi(<NoSourceCard condition={condition(reason)} symbol="FX:EURUSD" isAdmin={isAdmin} onRetry={() => (retries += 1)} />)
  await page.see(`${text} The chart appears by itself as soon as there are prices. Until then, you can look it up on TradingView.`)
  const link = await page.find('link', /Open on TradingView/)
  expect(link.getAttribute('href')).toContain('FX%3AEURUSD')
  expect(page.all('link', 'Market Data')).toHaveLength(isAdmin ? 1 : 0)
  await page.press('Retry')
  expect(retries).toBe(1)
})

test.each([
  ['user', false],
  ['admin', true],
] as const)('the toolbar shows a %s the error of a source: %s', (_, isAdmin) => {
  const page = renderUi(<ConditionBadge market={{ condition: condition(sourceError), isConnected: true }} isAdmin={isAdmin} />)
  expect(page.has(sourceError)).toBe(isAdmin)
})
