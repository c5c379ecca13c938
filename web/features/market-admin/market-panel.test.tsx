// Rejected rows on the admin page: nothing without any, one line for each series and source.
import { expect, test } from 'vitest'
import { renderUi } from '#web/testing/render.tsx'
import { RejectedRowsSection, VerificationSection } from './market-panel.tsx'
import type { VerifyReport } from '#shared/market-data/verify-report.ts'

test('without any it is absent', () => {
  expect(renderUi(<RejectedRowsSection rows={[]} />).all('table')).toEqual([])
})

test('it shows how many wait, how many are settled, and what was wrong last', () => {
  const answeredMs = Date.parse('2026-11-22T10:30:00Z')
  const row = {
    series: 'reliance',
    source: 'kite',
    isOwn: false,
    leftOut: 4_321,
    waiting: 1_250,
    settled: 3,
    issue: 'out-of-order',
    answeredMs,
  } as const
  const page = renderUi(<RejectedRowsSection rows={[row]} />)
  const [line] = page.all('row', /reliance/)
  expect(line?.textContent).toContain('1,250')
  expect(line?.textContent).toContain('4,321')
  expect(line?.textContent).toContain('Open or close outside low and high')
})

test('own brokers are named as such, beside the shared source', () => {
  const row = { series: 'reliance', source: 'kite', waiting: 0, settled: 0, leftOut: 2, issue: 'not-positive', answeredMs: 0 } as const
  const page = renderUi(
    <RejectedRowsSection
      rows={[
        { ...row, isOwn: true },
        { ...row, isOwn: false },
      ]}
    />,
  )
  expect(page.all('row', /reliance/).map(({ textContent }) => textContent.includes('kite (own brokers)'))).toEqual([true, false])
})

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

test('without a report it says how to run one', async () => {
  const page = renderUi(<VerificationSection report={null} />)
  await page.see(/npx tezi verify-candles/)
  expect(page.all('table')).toEqual([])
})

test('a clean report shows its time and the repairs', async () => {
  const page = renderUi(<VerificationSection report={clean} />)
  await page.see(/12 series, 34,56,789 candles/)
  await page.see('No problems left.')
  await page.see('Missing candles: found 3, repaired 3, left 0')
  expect(page.all('table')).toEqual([])
})

test('remaining issues are listed, and those cut off from the report are counted', async () => {
  const finding = { series: 'reliance', source: 'kite', step: '1D', kind: 'adjusted-rows', fromMs: atMs, toMs: atMs + 86_400_000 } as const
  const report: VerifyReport = { ...clean, counts: { ...clean.counts, 'adjusted-rows': { found: 5, left: 5 } }, left: [finding] }
  const page = renderUi(<VerificationSection report={report} />)
  await page.see(/5 left/)
  await page.see('4 more are not listed.')
  const [row] = page.all('row', /reliance/)
  expect(row?.textContent).toContain('Stored adjusted before a corporate action')
})
