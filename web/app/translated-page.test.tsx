// Pages that a browser's translator has changed keep working. `npm run test:slow` runs every component test on such pages.
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { makeUser } from '#shared/testing/user.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { openPage, renderUi } from '#web/testing/render.tsx'
import { answerAdminPages } from '#web/testing/screens.ts'
import { translatePage } from '#web/testing/translate-page.ts'
import { AccountActions } from './shell/account-actions.tsx'

let stop: () => void
beforeEach(() => (stop = translatePage()))
afterEach(() => stop())

const fontsIn = (element: Element) => element.querySelectorAll('font').length

test('a second try to sign in shows the error again, with what was typed', async () => {
  const page = openPage('/login')
  server.reject(api.auth.signIn, new AppError('unauthenticated', 'auth.credentialsWrong'))
  await page.fill('Email', 'asha@example.in')
  await page.fill('Password', 'Kesar-Chai-42')
  const button = await page.find('button', 'Sign in to Dashboard')
  await eventually(() => expect(fontsIn(button)).toBeGreaterThan(0))
  for (const attempt of [1, 2]) {
    await page.press('Sign in to Dashboard')
    await eventually(() => expect(server.calls(api.auth.signIn)).toHaveLength(attempt))
    await page.see('Invalid email or password')
  }
  expect((await page.field('Email')).value).toBe('asha@example.in')
})

test.each(['/admin/user-req', '/admin/market'])('%s is refreshed', async (path) => {
  answerAdminPages()
  const page = openPage(path, { as: 'admin' })
  const button = await page.find('button', 'Refresh')
  await eventually(() => expect(fontsIn(button)).toBeGreaterThan(0))
  await page.press('Refresh')
  await eventually(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
  expect(page.all('button', 'Refresh')).toEqual([button])
})

test('the buttons of the header change with premium', async () => {
  const none = () => {}
  function Header() {
    const [isPremium, setIsPremium] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setIsPremium(!isPremium)}>
          <span>Change</span>
        </button>
        <AccountActions user={makeUser('free')} isPremium={isPremium} isSettingsOpen={false} onSettings={none} onPremium={none} />
      </>
    )
  }
  const page = renderUi(<Header />)
  for (const name of ['Premium Chart', 'Settings', 'Premium Chart']) {
    const button = await page.find('button', name)
    await eventually(() => expect(fontsIn(button)).toBe(2))
    await page.press('Change')
  }
})
