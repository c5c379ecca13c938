// The role of a user: its change is confirmed, and not offered for the own account.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'

async function openRole(user: ReturnType<typeof makeUser>) {
  answerAdminPages()
  server.on(api.admin.users, () => [user])
  server.on(api.subscriptions.userHistory, () => ({ success: true, data: [] }))
  const page = openPage('/admin', { as: 'admin' })
  await page.press(`History of ${user.name}`)
  return { page, section: await page.find('region', 'Role') }
}

test('shows the error of the server, and stays', async () => {
  const { page, section } = await openRole(makeUser('free', { _id: idOf(2), name: 'Ravi Iyer' }))
  server.reject(api.roles.change, new AppError('conflict', anySentence('Of the server')))
  await page.press('Make admin', section)
  await page.press('Make admin', await page.find('alertdialog'))
  await page.see('Of the server')
  await page.find('region', 'Role')
})

test('makes a user an admin after a confirmation that says what follows', async () => {
  const { page, section } = await openRole(makeUser('free', { _id: idOf(2), name: 'Ravi Iyer' }))
  server.on(api.roles.change, () => ({ success: true, message: 'The user is an admin now' }))
  await page.see('User: no access to the admin pages.', section)
  await page.press('Make admin', section)
  const dialog = await page.find('alertdialog', 'Make this user an admin?')
  await page.see(/^Ravi Iyer will be able to do everything.*12 characters and for two-factor sign-in\.$/, dialog)
  expect(server.calls(api.roles.change)).toEqual([])
  await page.press('Make admin', dialog)
  await page.see('The user is an admin now')
  expect(server.calls(api.roles.change).map(({ body }) => body)).toEqual([{ id: idOf(2), role: 'admin' }])
  await page.goneFrom('dialog', 'Subscription history')
})

test('removes the role of another admin, who is marked in the list', async () => {
  const { page, section } = await openRole(makeUser('admin', { _id: idOf(2), name: 'Ravi Iyer' }))
  server.on(api.roles.change, () => ({ success: true, message: 'The admin role is removed' }))
  await page.press('Remove admin role', section)
  await page.press('Remove admin role', await page.find('alertdialog', 'Remove the admin role?'))
  await page.see('The admin role is removed')
  expect(server.calls(api.roles.change).map(({ body }) => body)).toEqual([{ id: idOf(2), role: 'user' }])
})

test('is not changed by oneself', async () => {
  const { page, section } = await openRole(makeUser('admin'))
  await page.see('Your own role can only be changed by another admin, so one admin always stays.', section)
  expect(page.all('button', undefined, section)).toEqual([])
})
