// Screens that look like what comes, one header and one `main`, and nothing offered twice.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { makeUser } from '#shared/testing/user.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { openPage, renderUi } from '#web/testing/render.tsx'
import { answerAccountPage, answerAdminPages, answerCharts } from '#web/testing/screens.ts'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { OwnSubscription } from '#web/features/subscriptions/own-subscription.tsx'

test.each([
  ['/admin', 'admin', 'admin-skeleton'],
  ['/account', 'free', 'page-skeleton'],
  ['/eur-usd', 'premium', 'chart-skeleton'],
] as const)('%s loads as a %s with the %s', async (path, as, skeleton) => {
  answerCharts()
  answerAdminPages()
  answerAccountPage()
  const release = server.hold(api.users.me)
  openPage(path, { as })
  await eventually(() => expect(document.querySelector(`[data-testid=${skeleton}]`)).not.toBeNull())
  release()
  await eventually(() => expect(document.querySelector(`[data-testid=${skeleton}]`)).toBeNull())
})

test.each(['desktop', 'phone'] as const)(
  'a wrong admin address on a %s has the headline of 404, one main and at most one header',
  async (viewport) => {
    setViewport(viewport)
    answerAdminPages()
    const page = openPage('/admin/no-such-page', { as: 'admin' })
    await page.see('404 Not found')
    expect(document.querySelectorAll('main')).toHaveLength(1)
    expect(document.querySelectorAll('h1')).toHaveLength(1)
    expect(document.querySelectorAll('header')).toHaveLength(viewport === 'phone' ? 1 : 0)
  },
)

test.each([
  ['free', ['See Premium']],
  ['premium', ['Renew']],
  ['admin', []],
] as const)('the account page offers a %s user %j', (kind, buttons) => {
  const page = renderUi(<OwnSubscription user={makeUser(kind)} onWantPremium={() => undefined} />)
  expect(page.all('button').map(({ textContent }) => textContent)).toEqual(buttons)
})
