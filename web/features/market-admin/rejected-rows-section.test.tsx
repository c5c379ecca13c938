// Rejected rows on the admin page: nothing without any, one line for each series and source.
import { expect, test } from 'vitest'
import { renderUi } from '#web/testing/render.tsx'
import { RejectedRowsSection } from './rejected-rows-section.tsx'

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
