// The pages that visitors get already rendered: readable without script, and brought to life by the first touch without a change.
import { expect, type Page } from '@playwright/test'
import { addPerson, agree, password } from './harness/people.ts'
import { desktop, expectEventually, phone, test } from './harness/test.ts'
import { world } from './harness/world.ts'

const scriptsOf = (page: Page) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  return scripts
}
const hasApp = (scripts: readonly string[]) => scripts.some((script) => script.includes('/vendor-'))

const appScripts = '**/assets/vendor-*.js'

async function holdScripts(page: Page, scripts: string, gate: Promise<void>): Promise<void> {
  await page.route(scripts, async (route) => {
    await gate
    await route.continue()
  })
}

test.describe('without script a visitor', () => {
  for (const size of [desktop, phone]) {
    test(`reads the landing page and the sign-in form at ${size.width} pixels`, async ({ browser }) => {
      const context = await browser.newContext({ baseURL: world().origin, javaScriptEnabled: false, viewport: size })
      const page = await context.newPage()
      await page.goto('/btc-usd')
      await page.getByRole('heading', { name: 'See the market. Count the candle.' }).waitFor()
      await page.getByRole('img', { name: /^Illustrative candlestick chart of EUR\/USD/ }).waitFor()
      expect(await page.getByText(/^(5\+|1M\+|20\+|99\.9%)$/).count()).toBe(4)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${world().origin}/`)
      await page.getByRole('link', { name: 'Start Analysis' }).first().click()
      await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
      // A form that sends itself must not put the password into an address.
      expect(await page.locator('form').getAttribute('method')).toBe('post')
      await context.close()
    })
  }
})

test('the pictures of the landing page are there without script', { tag: '@slow' }, async ({ browser }) => {
  const pictures = (page: Page) =>
    page
      .getByRole('main')
      .locator('img[src*=".avif"]')
      .evaluateAll((all) => all.map((it) => (it as HTMLImageElement).naturalWidth > 0))
  const context = await browser.newContext({ baseURL: world().origin, javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto('/')
  expect((await pictures(plain)).length).toBeGreaterThanOrEqual(3)
  await expectEventually(() => pictures(plain)).not.toContain(false)
  await context.close()
})

test.describe('the landing page', () => {
  test('counts down and loads the app with the first touch of the demo, which is not lost', async ({ open }) => {
    let scripts: string[] = []
    const { page } = await open('/', { before: async (fresh) => void (scripts = scriptsOf(fresh)) })
    const countdown = page.locator('[data-countdown="5"]').first()
    await expectEventually(() => countdown.textContent()).toMatch(/^0[0-5]:[0-5]\d$/)
    await page.waitForLoadState('networkidle')
    expect(hasApp(scripts)).toBe(false)
    await page.getByRole('button', { name: 'CRYPTO' }).click()
    await page.getByRole('img', { name: /^Illustrative candlestick chart of BTC\/USDT/ }).waitFor()
    expect(hasApp(scripts)).toBe(true)
    await expectEventually(() => countdown.textContent()).toMatch(/^0[0-5]:[0-5]\d$/)
  })

  test('does what was last clicked before any script was there', async ({ open }) => {
    const gate = Promise.withResolvers<void>()
    const drawn = Promise.withResolvers<Page>()
    const opened = open('/', {
      before: async (fresh) => {
        await holdScripts(fresh, '**/assets/*.js', gate.promise)
        drawn.resolve(fresh)
      },
    })
    const page = await drawn.promise
    await page.getByRole('button', { name: 'FUTURE' }).click()
    await page.getByRole('button', { name: 'CRYPTO' }).click()
    gate.resolve()
    await opened
    await page.getByRole('img', { name: /^Illustrative candlestick chart of BTC\/USDT/ }).waitFor()
  })
})

test.describe('the sign-in form', () => {
  test('loads the app for a pointer that moves over it, not for one that rests there', async ({ open }) => {
    let scripts: string[] = []
    const { page } = await open('/login', { before: async (fresh) => void (scripts = scriptsOf(fresh)) })
    await page.waitForLoadState('networkidle')
    await page.locator('form').dispatchEvent('pointermove', { bubbles: true })
    await page.waitForLoadState('networkidle')
    expect(hasApp(scripts)).toBe(false)
    await page.locator('form').hover()
    await expectEventually(() => hasApp(scripts)).toBe(true)
  })

  test('keeps what was typed and ticked for a new account before the app was there', async ({ open }) => {
    const gate = Promise.withResolvers<void>()
    const { page } = await open('/login?mode=sign-up', { before: (fresh) => holdScripts(fresh, appScripts, gate.promise) })
    await page.getByLabel('Phone').fill('98765 4321')
    await agree(page)
    gate.resolve()
    await page.getByText('Phone number must be 10 digits').waitFor()
    expect(await page.getByLabel('Phone').inputValue()).toBe('987654321')
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
    await page.getByLabel('Full name').fill('Asha Rao')
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
  })

  test('keeps what was typed and sent before the app was there', async ({ open }) => {
    const person = await addPerson('free')
    const gate = Promise.withResolvers<void>()
    const { page } = await open('/login', {
      before: (fresh) => holdScripts(fresh, appScripts, gate.promise),
    })
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in to Dashboard' }).click()
    gate.resolve()
    await page.getByRole('button', { name: 'Sign Out' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})
