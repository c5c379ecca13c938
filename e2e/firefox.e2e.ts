// A walk of each kind of user in an installed Firefox: it reports violations of the page's policy that Chromium does not, and before
// version 155 keeps a failed module until the page is loaded again.
import { randomInt, randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Browser, Page } from 'puppeteer-core'
import { noWorkspace } from '../shared/workspace/workspace.ts'
import { fill, launchFirefox, loseInFirefox, openInFirefox, press, see, seeElement } from './harness/firefox.ts'
import { addPerson, addRequest, callAs, password, type Person } from './harness/people.ts'
import { expectEventually, test } from './harness/test.ts'
import { world } from './harness/world.ts'

const walks: Readonly<Record<string, (page: Page) => Promise<void>>> = { visitor, buyer, trader, admin }

let browser: Browser

test.describe('Firefox', { tag: '@slow' }, () => {
  // One browser for all.
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    // It may have to be installed first.
    test.setTimeout(600_000)
    browser = await launchFirefox()
  })
  test.afterAll(() => browser.close())

  test('tells violations of the policy and page errors, so that their absence means something', async () => {
    const problems: string[] = []
    const page = await openInFirefox(browser, world().origin, problems)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "inline"'
      document.head.append(script)
      setTimeout(() => {
        throw new Error('on purpose')
      })
    })
    for (const told of ["console: violation of the page's policy: script-src-elem inline", 'uncaught error: Error: Error: on purpose'])
      await expectEventually(() => problems).toContain(told)
    expect(await page.title()).not.toBe('inline')
    await page.browserContext().close()
  })

  for (const [name, walk] of Object.entries(walks))
    test(`shows the ${name} every page without a violation of the policy or an error`, async () => {
      const problems: string[] = []
      const page = await openInFirefox(browser, world().origin, problems)
      await walk(page)
      expect(problems).toEqual([])
      await page.browserContext().close()
    })

  for (const script of ['index', 'vendor', 'native-stage'])
    test(`loads the chart's page once more by itself when ${script} was lost`, async () => {
      const { page, loads } = await openCounted()
      await signIn(page, await addPerson('free'))
      await loseInFirefox(page, script, 'once')
      const before = loads()
      await goTo(page, '/')
      await page.waitForSelector('[data-testid=chart-legend]')
      expect(loads() - before).toBe(2)
      await page.browserContext().close()
    })

  test('loads the page again at Retry when the app is lost until then', async () => {
    const { page, loads } = await openCounted()
    await signIn(page, await addPerson('free'))
    const find = await loseInFirefox(page, 'open-app', 'always')
    const before = loads()
    await goTo(page, '/account')
    await seeElement(page, 'link', 'Retry')
    expect(loads() - before).toBe(2)
    find()
    await press(page, 'link', 'Retry')
    await see(page, 'Change password')
    expect(loads() - before).toBe(3)
    await page.browserContext().close()
  })

  for (const path of ['/login', '/login?mode=sign-up'])
    test(`never loses what was typed at ${path} with the app`, async () => {
      const { page, loads } = await openCounted()
      const find = await loseInFirefox(page, 'open-app', 'always')
      await goTo(page, path)
      const before = loads()
      await fill(page, 'email', 'asha@example.in')
      await fill(page, 'password', password)
      await page.focus('input[name=email]')
      const retry = async (act: () => Promise<unknown>) => {
        await seeElement(page, 'link', 'Retry')
        await act()
        await page.waitForSelector('#load-failure', { hidden: true })
      }
      await retry(() => page.evaluate(() => dispatchEvent(new Event('online'))))
      await retry(() => press(page, 'link', 'Retry'))
      await seeElement(page, 'link', 'Retry')
      const typed = await page.$$eval('input[name=email], input[name=password]', (fields) => fields.map(({ value }) => value))
      expect([loads() - before, typed]).toEqual([0, ['asha@example.in', password]])
      find()
      await fill(page, 'email', '')
      await fill(page, 'password', '')
      await press(page, 'link', 'Retry')
      await expectEventually(loads).toBe(before + 1)
      await page.browserContext().close()
    })
})

/** Counts how often a page is loaded. */
async function openCounted(): Promise<{ page: Page; loads: () => number }> {
  const page = await openInFirefox(browser, `${world().origin}/robots.txt`, [])
  let loads = 0
  page.on('domcontentloaded', () => (loads += 1))
  return { page, loads: () => loads }
}

/** Reads the public pages and makes an account. */
async function visitor(page: Page): Promise<void> {
  await press(page, 'button', 'CRYPTO')
  await see(page, 'BTC/USDT')
  await goTo(page, '/privacy')
  await see(page, 'Notice of')
  await goTo(page, '/no-such-chart')
  await see(page, '404')
  await goTo(page, '/login?mode=sign-up')
  const typed = { name: 'Meera Nair', email: `visitor-${randomUUID().slice(0, 8)}@example.in`, phone: '9876543210' }
  for (const [field, text] of Object.entries({ ...typed, password, confirmPassword: password })) await fill(page, field, text)
  await press(page, 'checkbox', 'I am 18 or older.')
  await press(page, 'checkbox', 'I agree that my data is used as the privacy notice says.')
  await press(page, 'button', 'Create Account')
  await seeElement(page, 'button', 'Sign in to Dashboard')
}

/** Pays, sees that the request is pending, and opens the account. */
async function buyer(page: Page): Promise<void> {
  await signIn(page, await addPerson('free'))
  await press(page, 'button', 'Premium Chart')
  await page.locator('input[value=regular]').click()
  await fill(page, 'utrNo', `4${String(randomInt(1e10, 1e11))}`)
  await press(page, 'button', 'Submit Request')
  await see(page, 'Request Pending')
  await goTo(page, '/account')
  await see(page, 'Change password')
}

/** Looks at live prices in another timeframe, with a study. */
async function trader(page: Page): Promise<void> {
  const person = await addPerson('premium')
  await callAs(person, 'PUT', '/user/workspace', { version: 0, workspace: { ...noWorkspace, engine: 'tezi' } })
  await signIn(page, person)
  await goTo(page, '/btc-usdt')
  const legend = () => page.$eval('[data-testid=chart-legend]', (element) => element.textContent)
  await page.waitForSelector('[data-testid=chart-legend]')
  // The legend is that of the last bar unless the pointer is over another.
  await page.mouse.move(0, 0)
  const before = await legend()
  await expectEventually(legend).not.toBe(before)
  await press(page, 'radio', '5m')
  await page.waitForSelector('[data-testid=chart-loading]', { hidden: true })
  await press(page, 'button', 'Studies')
  await press(page, 'switch', 'Simple Moving Average')
  await page.waitForSelector('[data-study=sma]')
}

/** Finds a request and the user who made it. */
async function admin(page: Page): Promise<void> {
  const { email } = await addRequest()
  await signIn(page, await addPerson('admin'))
  await goTo(page, '/admin')
  await page.locator('input[type=search]').fill(email)
  await see(page, email)
  await press(page, 'link', 'Requested Users')
  await page.waitForFunction(() => location.pathname === '/admin/user-req')
  await see(page, email)
}

async function signIn(page: Page, person: Person): Promise<void> {
  await goTo(page, '/login')
  await fill(page, 'email', person.email)
  await fill(page, 'password', person.password)
  await press(page, 'button', 'Sign in to Dashboard')
  await page.waitForSelector('[data-testid=chart-legend]')
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${world().origin}${path}`)
}
