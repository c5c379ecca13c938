// Screens of visitors in the pseudo-locale.
import { expect } from '@playwright/test'
import { text, type Walk } from './languages.ts'
import { press, see } from './see.ts'

export const visitorWalks = {
  'landing, privacy and error pages': async ({ open, look, pageErrors }: Walk) => {
    const page = await open('/')
    await see(page, text.landing.headline)
    await look(page, 'landing')
    await page.goto('/privacy')
    await see(page, text.privacy.noticeTitle)
    await look(page, 'privacy')
    await page.goto('/no-such-page')
    await see(page, text.statusPages.notFound)
    await look(page, '404')
    await page.goto('/%')
    await see(page, text.statusPages.badRequest)
    await look(page, '400')
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/eur-usd' })
      document.body.append(form)
      form.submit()
    })
    await see(page, text.statusPages.notAllowed)
    await look(page, '405')
    // The router logs what it shows a page for.
    expect(pageErrors.filter((error) => !error.startsWith('console'))).toEqual([])
    pageErrors.length = 0
  },

  'screen of a crash': async ({ open, look, pageErrors }: Walk) => {
    const page = await open('/confirm-email', {
      before: async (fresh) => {
        await fresh.route(/\/assets\/mail-links-[^/]+\.js/, (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
        )
      },
    })
    await see(page, text.app.crashTitle)
    await look(page, 'crash')
    // The crash is logged.
    pageErrors.length = 0
  },

  'sign-in, sign-up and links by mail': async ({ open, look }: Walk) => {
    const page = await open('/login')
    await press(page, text.login.signInSubmit)
    await look(page, 'sign-in with its errors')
    await page.goto('/login?mode=sign-up')
    await press(page, text.login.signUpSubmit)
    await see(page, text.auth.fillRequired)
    await look(page, 'sign-up with its errors')
    await page.goto('/login?mode=password-link')
    await press(page, text.account.linkSubmit)
    await look(page, 'password link')
    for (const [path, screen] of [
      ['/reset-password', 'reset link without its token'],
      ['/reset-password#token=abc', 'reset link'],
      ['/confirm-email', 'verification without its token'],
      ['/confirm-email#token=abc', 'verification'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      await look(page, screen)
    }
  },
}
