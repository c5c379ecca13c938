// The last check of stored candles on the admin's page: never, clean, and with something left.
import { expect, test } from 'vitest'
import type { VerifyReport } from '#shared/market/verify-report.ts'
import { renderUi } from '#web/testing/render.tsx'
import { VerificationSection } from './verification-section.tsx'

const atMs = Date.parse('2026-11-22T10:30:00Z')
const none = { found: 0, left: 0 }
const clean: VerifyReport = {
  startedMs: atMs - 60_000,
  endedMs: atMs,
  hasRepaired: true,
  series: 12,
  candles: 3_456_789,
  counts: { hole: { found: 3, left: 0 }, contradiction: none, 'adjusted-rows': none, 'unexplained-jump': none },
  left: [],
}

test('without a check it says how to make one', async () => {
  const page = renderUi(<VerificationSection report={null} />)
  await page.see(/npx tezi verify-candles/)
  expect(page.all('table')).toEqual([])
})

test('a clean check says when it was and what was repaired', async () => {
  const page = renderUi(<VerificationSection report={clean} />)
  await page.see(/12 series, 34,56,789 candles/)
  await page.see('No problems left.')
  await page.see('Missing candles: found 3, repaired 3, left 0')
  expect(page.all('table')).toEqual([])
})

test('what is left is listed, and what the report does not name is counted', async () => {
  const finding = { series: 'reliance', source: 'kite', step: '1D', kind: 'adjusted-rows', fromMs: atMs, toMs: atMs + 86_400_000 } as const
  const report: VerifyReport = { ...clean, counts: { ...clean.counts, 'adjusted-rows': { found: 5, left: 5 } }, left: [finding] }
  const page = renderUi(<VerificationSection report={report} />)
  await page.see(/5 left/)
  await page.see('4 more are not listed.')
  const [row] = page.all('row', /reliance/)
  expect(row?.textContent).toContain('Stored adjusted before a corporate action')
})
