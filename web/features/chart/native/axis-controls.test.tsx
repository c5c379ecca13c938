// Controls of the axes: go to a date, back to the newest bar, price scale and time zone.
import { expect, test } from 'vitest'
import { preferencesNow } from '#web/lib/preferences.ts'
import { eventually } from '#web/testing/eventually.ts'
import type { Page } from '#web/testing/page.ts'
import { renderUi } from '#web/testing/render.tsx'
import { AxisMenu } from './axis-menu.tsx'
import type { NativeChart } from './chart-port.ts'
import { GoToDate } from './go-to-date.tsx'
import type { GoToOutcome } from './go-to.ts'
import { LatestButton } from './latest-button.tsx'
import { noFrame } from './legend-snapshot.ts'

/** jsdom has no popovers, and hides them. */
async function openPopover(page: Page, button: string): Promise<void> {
  const opener = await page.find('button', button)
  document.getElementById(opener.getAttribute('popovertarget') ?? '')?.removeAttribute('popover')
}

async function goToDate(outcome: GoToOutcome, zone: string | undefined) {
  const times: string[] = []
  const goTo = (timeMs: number) => (times.push(new Date(timeMs).toISOString()), Promise.resolve(outcome))
  const page = renderUi(<GoToDate chart={{ goTo }} zone={zone} />, { as: 'premium' })
  await openPopover(page, 'Go to date')
  return { times, page }
}

test('no date is an error under the field, and nothing moves', async () => {
  const { page, times } = await goToDate('shown', 'Asia/Kolkata')
  await page.press('Go')
  await page.see('Choose a date.')
  expect(times).toEqual([])
})

test('a text that is no date moves nothing, also after a date', async () => {
  const { page, times } = await goToDate('shown', 'Asia/Kolkata')
  await page.fill('Date', '02/03/2020')
  await page.press('Go')
  await eventually(() => expect(times).toHaveLength(1))
  await page.user.type(await page.field('Date'), '{Backspace}')
  await page.press('Go')
  await page.see('Choose a date.')
  expect(times).toHaveLength(1)
})

test.for([
  ['starts-later', 'The history of this chart does not reach back to that date. This is its first bar.'],
  ['too-far', 'That is too far back for this timeframe. Choose a longer one.'],
  ['failed', 'Older bars could not be loaded. Please try again.'],
] as const)('a jump that is %s says so', async ([outcome, sentence]) => {
  const { page } = await goToDate(outcome, 'Asia/Kolkata')
  await page.fill('Date', '02/03/2020')
  await page.press('Go')
  await page.see(sentence)
})

test.for([
  ['Asia/Kolkata', '2020-03-01T18:30:00.000Z'],
  ['America/New_York', '2020-03-02T05:00:00.000Z'],
  [undefined, '2020-03-02T00:00:00.000Z'],
] as const)('the date begins at midnight of the axis: %s', async ([zone, time]) => {
  const { page, times } = await goToDate('shown', zone)
  await page.fill('Date', '02/03/2020')
  await page.press('Go')
  await eventually(() => expect(times).toEqual([time]))
})

test('Latest appears as soon as the newest bar is out of view, and goes there', async () => {
  let frame = noFrame
  const listeners = new Set<() => void>()
  let jumps = 0
  const chart: Pick<NativeChart, 'frame' | 'onFrame' | 'toLatest'> = {
    frame: () => frame,
    onFrame: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    toLatest: () => void (jumps += 1),
  }
  const page = renderUi(<LatestButton chart={chart} />, { as: 'premium' })
  expect(page.all('button', 'Latest')).toEqual([])
  frame = { ...noFrame, isNewestSeen: false }
  for (const listener of listeners) listener()
  await page.press('Latest')
  expect(jumps).toBe(1)
})

test('the menu of the axes names the zone, keeps the scale and fits it again', async () => {
  let isAuto = true
  const chart: Pick<NativeChart, 'isAutoScaled' | 'setAutoScaled'> = {
    isAutoScaled: () => isAuto,
    setAutoScaled: (next) => void (isAuto = next),
  }
  const page = renderUi(<AxisMenu chart={chart} scale="log" zone="Asia/Kolkata" />, { as: 'premium' })
  const opener = await page.find('button', 'Axes: times in IST, price scale')
  expect(opener.textContent).toBe('IST log')
  await openPopover(page, 'Axes: times in IST, price scale')
  await page.user.click(await page.find('radio', 'Percent'))
  expect(preferencesNow().workspace.options?.scale).toBe('percent')
  const box = await page.find('checkbox', 'Fit the price scale to the visible bars')
  await page.user.click(box)
  expect(isAuto).toBe(false)
  await page.user.click(box)
  expect(isAuto).toBe(true)
})
