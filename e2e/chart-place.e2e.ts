// A Tezi chart that is mounted again for another option shows the same time as before.
import { expect, type Page } from '@playwright/test'
import { canvas, goFarBack, legend, timesInView } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { press } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

async function adjustFor(page: Page, choice: string): Promise<void> {
  await canvas(page).evaluate((element) => element.setAttribute('data-seen', 'before'))
  await press(page, 'Chart options')
  await page.getByRole('radio', { name: choice }).click()
  await page.locator('[data-testid=chart-canvas]:not([data-seen])').waitFor()
  await page.getByTestId('chart-loading').waitFor({ state: 'hidden' })
}

test('a change of the price adjustment keeps zoom and visible time, near and far', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/reliance?tf=1D', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  const all = await timesInView(page)
  for (let at = 0; at < 3; at += 1) await canvas(page).press('+')
  const newest = await timesInView(page)
  expect(newest.length).toBeLessThan(all.length)
  await adjustFor(page, 'Nothing')
  await expectEventually(() => timesInView(page)).toEqual(newest)
  await goFarBack(page)
  const older = await timesInView(page)
  expect(older).not.toContain(newest.at(-1))
  await adjustFor(page, '+ demergers')
  await expectEventually(() => timesInView(page)).toEqual(older)
  await adjustFor(page, 'Splits, bonuses')
  await expectEventually(() => timesInView(page)).toEqual(older)
})
