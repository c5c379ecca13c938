// Scripts of the page that the network loses: once, or every time.
import type { BrowserContext, Page } from '@playwright/test'

export type Loss = 'once' | 'always'

/** Aborts requests for the script at this path, such as /assets/vendor-1a2b.js. Call it before the page is opened. */
export async function loseScript(target: Page | BrowserContext, path: string, loss: Loss): Promise<void> {
  let isLost = false
  await target.route(
    (url) => url.pathname === path,
    async (route) => {
      if (isLost && loss === 'once') return route.fallback()
      isLost = true
      await route.abort('connectionreset')
    },
  )
}

/** Paths of the scripts that the page requests from now on, in order, each once. */
export function watchScripts(page: Page): readonly string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.resourceType() === 'script' && pathname.startsWith('/assets/') && !paths.includes(pathname)) paths.push(pathname)
  })
  return paths
}

/** `count` items, the same ones for the same seed. */
export function sampleOf<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  const left = [...items]
  let state = seed
  return Array.from({ length: Math.min(count, items.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return left.splice(state % left.length, 1)
  }).flat()
}
