// Browsers that do not behave: each condition prepares a page, and may strike once more in the middle of a walk.
import { devices, type BrowserContextOptions, type Page } from '@playwright/test'
import { backForwardCache, blockStorage, extension, shiftClock, translate, withoutPopUps } from './hostile-scripts.ts'

export interface Condition {
  readonly name: string
  readonly context?: BrowserContextOptions
  /** The site over plain http by a name: an insecure context, unlike 127.0.0.1. */
  readonly isPlainHttp?: true
  /** The session does not survive a reload. */
  readonly forgetsSession?: true
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Strikes while a form is filled in. */
  readonly midway?: (page: Page) => Promise<unknown>
}

/** A name that the browser of the tests finds on this machine. */
export const plainHttpHost = 'tezi.test'

const { defaultBrowserType: _, ...phone } = devices['Galaxy S9+']

export const conditions: readonly Condition[] = [
  { name: 'an ordinary browser' },
  { name: 'a translated page', prepare: (page) => page.addInitScript(translate) },
  { name: 'a new build in the middle', ...newBuild() },
  { name: 'storage that throws', forgetsSession: true, prepare: (page) => page.addInitScript(blockStorage) },
  { name: 'plain http', isPlainHttp: true },
  { name: 'a clock 20 minutes ahead', prepare: (page) => page.addInitScript(shiftClock, 20 * 60_000) },
  { name: 'a clock 20 minutes behind', prepare: (page) => page.addInitScript(shiftClock, -20 * 60_000) },
  { name: 'a zoom of 300 %', context: { viewport: { width: 480, height: 300 }, deviceScaleFactor: 3 } },
  {
    name: "an app's browser",
    context: { ...phone, viewport: { width: 390, height: 844 }, userAgent: phone?.userAgent?.replace(/(\) AppleWebKit)/, '; wv$1') },
    prepare: (page) => page.addInitScript(withoutPopUps),
  },
  { name: 'an extension', prepare: (page) => page.addInitScript(extension) },
  {
    name: 'the back-forward cache',
    prepare: (page) => page.addInitScript(backForwardCache),
    midway: (page) => page.evaluate(() => dispatchEvent(new Event('e2e:leave-and-return'))),
  },
]

/** From the middle of the walk on the old build's files are gone, and the server names a new one, until the page is loaded again. */
function newBuild(): Pick<Condition, 'prepare' | 'midway'> {
  const stale = new WeakSet<Page>()
  return {
    async prepare(page) {
      await page.route(
        (url) => !/^\/api\/|\./.test(url.pathname),
        async (route) => {
          if (route.request().isNavigationRequest()) stale.delete(page)
          if (!stale.has(page)) return route.fallback()
          const response = await route.fetch()
          const body = (await response.text()).replace(/(<meta name="build" content=")[^"]+/, '$1the-next-one')
          return route.fulfill({ response, body })
        },
      )
      await page.route('**/assets/*', (route) => (stale.has(page) ? route.fulfill({ status: 404 }) : route.fallback()))
    },
    midway: async (page) => void stale.add(page),
  }
}
