// The chart marks where its prices start.
import { expect } from '@playwright/test'
import { canvas, legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { expectEventually, test } from './harness/test.ts'

test('a chart says since when there are prices while its first bar is visible', async ({ open }) => {
  const { page } = await open('/?tf=1D', { as: await addPerson('free') })
  await legend(page).waitFor()
  const note = legend(page).getByText(/^Starts on [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d{4}: no older data from this source\.$/)
  expect(await note.count()).toBe(0)
  await expectEventually(async () => {
    await canvas(page).press('Home')
    return note.count()
  }).toBe(1)
  await canvas(page).press('End')
  await note.waitFor({ state: 'detached' })
})
