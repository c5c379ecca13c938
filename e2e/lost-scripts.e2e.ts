// One script that the network loses: once, and the task is done; every time, and the page says so and offers to try again.
import { expect, type Page } from '@playwright/test'
import { loseScript, sampleOf, watchScripts } from './harness/lost-scripts.ts'
import { canvas, legend } from './harness/native-chart.ts'
import { addPerson, password, type Person } from './harness/people.ts'
import { expectEventually, test, type OpenOptions } from './harness/test.ts'

const ignore = () => undefined

/** All of them with LOST_SCRIPTS=all. */
const perRun = process.env['LOST_SCRIPTS'] === 'all' ? Number.POSITIVE_INFINITY : 2
const seed = Number(process.env['E2E_SEED'] ?? Math.floor(Date.now() / 86_400_000))

interface Visit {
  readonly path: string
  readonly kind?: 'free' | 'premium'
  /** What a person does; on a prerendered page it needs the app. */
  readonly act?: (page: Page) => Promise<void>
  readonly done: (page: Page) => Promise<void>
  /** After a message that says to try again. */
  readonly again?: (page: Page) => Promise<void>
}

let person: Person

const seeChart = async (page: Page) => {
  await canvas(page).waitFor()
  await legend(page).waitFor()
  await page.getByTestId('chart-loading').waitFor({ state: 'hidden' })
}

const visits: Readonly<Record<string, Visit>> = {
  'a visitor of the landing page': {
    path: '/',
    act: (page) => page.getByRole('button', { name: 'CRYPTO' }).click(),
    done: (page) => page.getByRole('img', { name: /^Illustrative candlestick chart of BTC\/USDT/ }).waitFor(),
    again: (page) => page.getByRole('button', { name: 'CRYPTO' }).click(),
  },
  'a visitor who signs in': {
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in to Dashboard' }).click()
    },
    done: (page) => page.getByRole('button', { name: 'Sign Out' }).waitFor(),
    // Ignored while the form is busy, and gone once it is done.
    again: (page) => page.getByRole('button', { name: 'Sign in to Dashboard' }).click({ timeout: 2_000 }).catch(ignore),
  },
  'a free user': {
    path: '/',
    kind: 'free',
    done: async (page) => {
      await page.getByRole('button', { name: 'Premium Chart' }).waitFor()
      await seeChart(page)
    },
  },
  'a premium user': {
    path: '/',
    kind: 'premium',
    done: async (page) => {
      await page.getByRole('button', { name: 'Settings' }).waitFor()
      await seeChart(page)
    },
  },
}

test.beforeAll(async () => {
  person = await addPerson('free')
})

for (const [name, { path, kind, act, done, again }] of Object.entries(visits))
  for (const loss of ['once', 'always'] as const)
    test(`${name} meets a script that is lost ${loss}`, async ({ open, pageErrors }) => {
      test.setTimeout(perRun === 2 ? 90_000 : 1_800_000)
      const options: OpenOptions = kind === undefined ? {} : { as: await addPerson(kind), engine: 'tezi' }
      for (const script of sampleOf(await firstScripts(), perRun, seed)) await test.step(script, () => visit(script))

      async function firstScripts(): Promise<readonly string[]> {
        let scripts: readonly string[] = []
        const { page } = await open(path, { ...options, before: async (fresh) => void (scripts = watchScripts(fresh)) })
        await act?.(page)
        await done(page)
        await page.waitForLoadState('networkidle')
        await page.close()
        return scripts
      }

      async function visit(script: string): Promise<void> {
        const { page } = await open(path, { ...options, before: (fresh) => loseScript(fresh, script, loss) })
        const words = page
          .getByText(/could not be loaded|Login failed/)
          .filter({ visible: true })
          .first()
        await act?.(page)
        await (loss === 'once' ? done(page) : Promise.any([done(page), words.waitFor()]))
        if (kind !== undefined) expect(await page.getByText('See the market. Count the candle.').count()).toBe(0)
        if (loss === 'always') await recover(page)
        await page.close()
        pageErrors.splice(0, pageErrors.length, ...pageErrors.filter((error) => !/Failed to fetch|could not be/.test(error)))
      }

      /** The network is back, and a person presses Retry where it is offered; what was typed is still there. */
      async function recover(page: Page): Promise<void> {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        const retry = page.getByText('Retry', { exact: true }).filter({ visible: true }).first()
        if ((await retry.count()) > 0) await retry.click()
        await again?.(page)
        await done(page)
      }
    })

for (const path of ['/login', '/login?mode=sign-up'])
  test(`a file that is lost after an upgrade never costs what was typed at ${path}`, async ({ open, pageErrors }) => {
    const { page } = await open(path, { before: (fresh) => loseScripts(fresh, /\/open-app-/) })
    await page.getByLabel('Email').fill('asha@example.in')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Email').focus()
    await upgrade(page)
    let loads = 0
    page.on('domcontentloaded', () => (loads += 1))
    const words = page.locator('#load-failure')
    for (const act of [() => page.evaluate(() => dispatchEvent(new Event('online'))), () => words.getByText('Retry').click()]) {
      await words.waitFor()
      await act()
      await words.waitFor({ state: 'hidden' })
    }
    await words.waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('asha@example.in')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
    expect(loads).toBe(0)
    await page.getByLabel('Email').fill('')
    await page.getByLabel('Password', { exact: true }).fill('')
    await expectEventually(() => loads).toBe(1)
    pageErrors.length = 0
  })

async function loseScripts(page: Page, name: RegExp): Promise<void> {
  await page.route(name, (route) => route.abort('connectionreset'))
}

/** From now on the server's page is of another build. */
async function upgrade(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === '/login',
    async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/(name="build" content=")[^"]+/, '$1next') })
    },
  )
}
