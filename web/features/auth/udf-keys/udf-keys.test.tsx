// UDF keys on the account page: errors first, then the life cycle of a key.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { UdfKey } from '#shared/udf/key-contract.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAccountPage } from '#web/testing/screens.ts'
import { expectFocus, issueOf, textsOf } from '#web/testing/see.ts'

const secret = `tezi_udf_${'Ab3-_'.repeat(8)}xyz`
const key: UdfKey = {
  id: '6f1c1d5e-0b7e-4a51-9f3e-0d6f0a6b1a01',
  name: 'OpenBB',
  prefix: 'tezi_udf_Ab3-',
  createdAt: '2026-11-20T06:30:00.000Z',
  lastUsedAt: null,
}
const setKeys = (keys: readonly UdfKey[]) => server.on(api.udfKeys.list, () => ({ success: true, data: [...keys] }))

async function openKeys(keys: readonly UdfKey[] = []): Promise<{ page: Page; region: HTMLElement }> {
  answerAccountPage()
  setKeys(keys)
  const page = openPage('/account', { as: 'free' })
  return { page, region: await page.find('region', 'UDF keys') }
}

test('shows a load error and can be retried', async () => {
  answerAccountPage()
  server.reject(api.udfKeys.list, new AppError('internal', anySentence('Of the server')))
  const page = openPage('/account', { as: 'free' })
  const region = await page.find('region', 'UDF keys')
  await page.see('Of the server', region)
  setKeys([])
  await page.press('Try again', region)
  await page.see('No keys yet.', region)
})

test('a sixth key is not offered', async () => {
  const { page, region } = await openKeys(Array.from({ length: 5 }, (_, index) => ({ ...key, id: key.id.slice(0, -1) + index })))
  await page.see('You can have up to 5 keys. Revoke one first.', region)
  expect(page.all('button', 'Create key', region)).toEqual([])
})

test('a key requires a name, and server errors are shown below it', async () => {
  const { page, region } = await openKeys()
  await page.press('Create key', await page.find('region', 'UDF keys'))
  const dialog = await page.find('dialog', 'Create a UDF key')
  await page.press('Create key', dialog)
  expect(issueOf(await page.field('Name', dialog))).toBe('Enter a name.')
  expect(server.calls(api.udfKeys.create)).toEqual([])
  server.reject(api.udfKeys.create, new AppError('conflict', 'udfKeys.full'))
  await page.fill('Name', 'OpenBB', dialog)
  await page.press('Create key', dialog)
  await page.see('You can have up to 5 keys. Revoke one first.', dialog)
  server.disconnect(api.udfKeys.create)
  await page.press('Create key', dialog)
  await page.see('That did not work. Please try again.', dialog)
  await page.press('Cancel', dialog)
  await page.goneFrom('dialog', 'Create a UDF key')
  await page.see('No keys yet.', region)
})

test('a key is created after the password, shown once without accidental dismissal, and listed without its secret', async () => {
  const { page, region } = await openKeys()
  server.reject(api.udfKeys.create, new AppError('forbidden', 'admin.confirmPassword'))
  await page.press('Create key', region)
  const dialog = await page.find('dialog', 'Create a UDF key')
  await page.fill('Name', 'OpenBB', dialog)
  await page.press('Create key', dialog)
  server.on(api.passwords.confirm, () => ({ success: true, message: 'Password confirmed' }))
  server.on(api.udfKeys.create, () => ({ success: true, message: 'UDF key created', data: { id: key.id, key: secret } }))
  setKeys([key])
  await page.fill('Your password', 'Kesar-Chai-42')
  await page.press('Confirm')
  const shown = await page.find('dialog', 'Your new key')
  const field = await page.field('Base URL for your charting program', shown)
  await expectFocus(field)
  expect(page.all('button', 'Close', shown)).toEqual([])
  expect([field.value, field.readOnly]).toEqual([`${window.location.origin}/udf/k/${secret}`, true])
  await page.user.keyboard('{Escape}')
  await page.press('Copy', await page.find('dialog', 'Your new key'))
  await page.see('Base URL copied')
  expect(await navigator.clipboard.readText()).toBe(field.value)
  await page.press('I have saved it')
  await page.goneFrom('dialog', 'Your new key')
  await page.see(/^Created .*, not used yet$/, region)
  expect(textsOf([...region.querySelectorAll('code')])).toEqual(['tezi_udf_Ab3-…'])
  expect(document.body.textContent).not.toContain(secret)
  expect(server.calls(api.udfKeys.create).at(-1)?.body).toEqual({ name: 'OpenBB' })
})

test('a key is revoked after a confirmation that names it', async () => {
  const { page, region } = await openKeys([{ ...key, lastUsedAt: '2026-11-21T06:30:00.000Z' }])
  await page.see(/^Created .*, last used /, region)
  await page.press('Revoke the key OpenBB', region)
  const question = await page.find('alertdialog', 'Revoke this key?')
  await page.see('Programs that use OpenBB lose access at once.', question)
  await page.press('Cancel', question)
  expect(server.calls(api.udfKeys.revoke)).toEqual([])
  server.on(api.udfKeys.revoke, () => ({ success: true, message: 'UDF key revoked' }))
  await page.press('Revoke the key OpenBB', region)
  setKeys([])
  await page.press('Revoke', await page.find('alertdialog', 'Revoke this key?'))
  await page.see('UDF key revoked')
  await page.see('No keys yet.', region)
})
