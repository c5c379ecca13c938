// Reset of a user's second factors by an admin: confirmation, message and server errors.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { makeUser } from '#shared/testing/user.ts'
import { server } from '#web/testing/fake-server.ts'
import { renderUi } from '#web/testing/render.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'

test('is not offered for a user without a second factor', async () => {
  const page = renderUi(<ChangePasswordDialog user={makeUser('free')} isOwn={false} onClose={() => undefined} />)
  await page.see('Two-factor sign-in is not set up for this account')
  expect(page.all('button', 'Reset two-factor sign-in')).toEqual([])
})

test("asks for confirmation, shows the server's message, and closes when it is done", async () => {
  const closed: boolean[] = []
  const user = makeUser('free', { name: 'Ravi Iyer', email: 'ravi@example.in', hasSecondFactor: true })
  const page = renderUi(<ChangePasswordDialog user={user} isOwn={false} onClose={() => closed.push(true)} />, { as: 'admin' })
  await page.press('Reset two-factor sign-in')
  const question = await page.find('alertdialog', 'Reset two-factor sign-in?')
  await page.see(/of Ravi Iyer are removed, and all sessions end/, question)
  await page.press('Cancel', question)
  await page.goneFrom('alertdialog')
  expect(server.calls(api.factors.reset)).toEqual([])
  server.reject(api.factors.reset, new AppError('not-found', 'factors.none'))
  await page.press('Reset two-factor sign-in')
  await page.press('Reset', await page.find('alertdialog'))
  await page.see('Two-factor sign-in is not set up for this account')
  server.on(api.factors.reset, () => ({ success: true, message: factorsText.wasReset }))
  await page.press('Reset two-factor sign-in')
  await page.press('Reset', await page.find('alertdialog'))
  await page.see('Two-factor sign-in is reset')
  expect(server.calls(api.factors.reset).at(-1)?.body).toEqual({ email: 'ravi@example.in' })
  expect(closed).toEqual([true])
})
