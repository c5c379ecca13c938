// Freeing an address by an admin: who it is offered for, confirmation, message and server errors.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { makeUser } from '#shared/testing/user.ts'
import { server } from '#web/testing/fake-server.ts'
import { renderUi } from '#web/testing/render.tsx'
import { ChangePasswordDialog, FreeAddress } from './change-password-dialog.tsx'

test('is not offered for an account with premium', () => {
  const page = renderUi(<FreeAddress user={makeUser('premium')} onDone={() => undefined} />)
  expect(page.all('button', 'Free the address')).toEqual([])
})

test("asks for confirmation, shows the server's message, and closes when it is done", async () => {
  const closed: boolean[] = []
  const user = makeUser('free', { name: 'Ravi Iyer', email: 'ravi@example.in' })
  const page = renderUi(<ChangePasswordDialog user={user} isOwn={false} onClose={() => closed.push(true)} />, { as: 'admin' })
  server.reject(api.email.free, new AppError('conflict', 'admin.addressKept'))
  await page.press('Free the address')
  await page.see(/account of Ravi Iyer is erased for ever/, await page.find('alertdialog', 'Free the address?'))
  await page.press('Erase the account', await page.find('alertdialog'))
  await page.see(/has payments, premium or an open request/)
  server.on(api.email.free, () => ({ success: true, message: adminText.addressFreed }))
  await page.press('Free the address')
  await page.press('Erase the account', await page.find('alertdialog'))
  await page.see('The address is free again')
  expect(server.calls(api.email.free).at(-1)?.body).toEqual({ email: 'ravi@example.in' })
  expect(closed).toEqual([true])
})
