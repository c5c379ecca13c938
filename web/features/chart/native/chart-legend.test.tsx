// The legend is one line on phones, opened by a button; a missing volume is an icon with a tooltip.
import { expect, test } from 'vitest'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { renderUi } from '#web/testing/render.tsx'
import { ChartLegend } from './chart-legend.tsx'
import type { NativeChart } from './chart-port.ts'
import { noFrame } from './legend-snapshot.ts'
import type { StudyReading } from './studies/legend-values.ts'
import { studyKit } from './studies/lazy-entry.ts'

const bar = { index: 0, moment: 'Mon 23 Nov 2026', open: '1', high: '4', low: '0', close: '2', change: '+1', isUp: true, volume: '9K' }
const note = { text: 'No volume for this instrument.', short: undefined, isIcon: true }
const study: StudyReading = { id: 'vwap', name: 'VWAP', summary: '', isHidden: false, note, readings: [], paneTopPx: 0 }
const look = { style: 'renko' } as const
const actions = { settings: () => undefined, hide: () => undefined, remove: () => undefined }

function open() {
  const frame = { ...noFrame, bar, studies: [study] }
  const chart: Pick<NativeChart, 'frame' | 'onFrame'> = { frame: () => frame, onFrame: () => () => undefined }
  return renderUi(<ChartLegend chart={chart} style={look.style} kit={studyKit} adjusted="Adjusted" actions={actions} />)
}

test('on a phone it is one line until it is opened', async () => {
  setViewport('phone')
  const page = open()
  await page.see('9K')
  expect([page.has('Adjusted'), page.has('VWAP')]).toEqual([false, false])
  await page.press('1 study')
  await page.see('Adjusted')
  await page.press('Show less')
  await page.seeNoMore('Adjusted')
})

test('on a desktop it is open, and a missing volume is an icon that says so', async () => {
  const page = open()
  await page.see('Adjusted')
  expect(page.all('button', 'No volume for this instrument.')).toHaveLength(1)
  expect(document.querySelector('[role=tooltip]')?.textContent).toBe('No volume for this instrument.')
})
