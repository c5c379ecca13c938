// The Instruments page of an admin and its edit dialog in both sizes: accessible, and no symbol is broken into two lines.
import { expect } from '@playwright/test'
import { expectAccessible, expectTouchTargets } from './harness/accessible.ts'
import { addPerson } from './harness/people.ts'
import { phone, taggedSizes, test } from './harness/test.ts'

for (const { name, size, details } of taggedSizes) {
  test(`the instruments and their dialog are accessible at ${name}`, details, async ({ open }) => {
    const { page } = await open('/admin/instruments', { as: await addPerson('admin'), size })
    const edit = page.getByRole('button', { name: 'Edit DOGE/USDT' })
    await edit.waitFor()
    const symbol = page.getByText('BINANCE:DOGEUSDT', { exact: true }).locator('visible=true').first()
    expect((await symbol.boundingBox())?.height).toBeLessThan(30)
    await expectAccessible(page)
    if (size === phone) await expectTouchTargets(page.getByRole('main'))
    await edit.click()
    const dialog = page.getByRole('dialog', { name: 'Edit DOGE/USDT' })
    await dialog.getByRole('textbox', { name: 'TradingView symbol' }).fill('BINANCE:DOGEUSDC')
    await dialog.getByRole('button', { name: 'Check symbols' }).waitFor()
    await dialog.getByRole('button', { name: 'Add substitute' }).click()
    await expectAccessible(page)
    if (size === phone) await expectTouchTargets(dialog)
  })
}
