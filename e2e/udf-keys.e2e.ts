// A UDF key from the account page to the first bars of a program that has only its base URL, and to its end.
import { expect, request } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson } from './harness/people.ts'
import { press, see } from './harness/see.ts'
import { test } from './harness/test.ts'

test('a UDF key is created, read with, and revoked', async ({ open }) => {
  const { page } = await open('/account', { as: await addPerson('premium') })
  const section = page.getByRole('region', { name: 'UDF keys' })
  await section.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a UDF key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Advanced Charts')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const baseUrl = await page.getByRole('textbox', { name: 'Base URL for your charting program' }).inputValue()
  await expectAccessible(page)
  await press(page, 'I have saved it')
  await section.getByText(/^Created .*, not used yet$/).waitFor()
  await expectAccessible(page)

  const program = await request.newContext()
  const nowSeconds = Number(await (await program.get(`${baseUrl}/time`)).text())
  const query = new URLSearchParams({ symbol: 'BTC/USDT', resolution: '60', to: String(nowSeconds), countback: '5' })
  const history = await program.get(`${baseUrl}/history?${query.toString()}`)
  expect(((await history.json()) as { t: number[] }).t).toHaveLength(5)

  await section.getByRole('button', { name: 'Revoke the key Advanced Charts' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await see(page, 'No keys yet.')
  expect((await program.get(`${baseUrl}/config`)).status()).toBe(401)
  await program.dispose()
})
