// A Tezi chart without prices says why, and what to do.
import { expect, test } from 'vitest'
import type { LiveCondition } from '#shared/market-data/live.ts'
import { renderUi } from '#web/testing/render.tsx'
import { NoSourceCard } from './no-source-card.tsx'

const condition = (reason: string | null): LiveCondition => ({ label: null, sessionClass: 'fx', isStale: false, reason })

test.each([
  [null, 'There is no source of prices for this instrument at the moment.'],
  ['Kraken: cannot be reached', 'Kraken: cannot be reached.'],
  ['Looking for prices.', 'Looking for prices.'],
])('with the reason %j', async (reason, text) => {
  const page = renderUi(<NoSourceCard condition={condition(reason)} symbol="FX:EURUSD" />)
  await page.see(`${text} The chart appears by itself as soon as there are prices. Until then, you can look it up on TradingView.`)
  const link = await page.find('link', /Open on TradingView/)
  expect(link.getAttribute('href')).toContain('FX%3AEURUSD')
})
