// Entry of the app's page: the chart of a signed-in user starts first, and the app loads behind it.
import '#web/styles/base.css'
import { openEarlySocket } from '#web/features/market-data/open-early-socket.ts'
import { showLoadFailure } from '#web/lib/load-part.ts'
import { session } from '#web/lib/browser-storage.ts'

const root = document.getElementById('root')
const token = session.token()

// A prerendered page has its own entry and loads this file only as a part of others.
const isPrerendered = document.documentElement.dataset['prerendered'] !== undefined

// Browsers without Temporal load a polyfill first, with the app.
if (
  !isPrerendered &&
  root !== null &&
  token !== undefined &&
  'Temporal' in globalThis &&
  !/^\/(?:account|admin|login)/.test(location.pathname)
) {
  openEarlySocket(location.origin, token)
  import('#web/features/chart/native/start-early.ts')
    .then(({ startEarlyChart }) => startEarlyChart(location, root))
    // The app draws the chart itself, and reports what is wrong.
    .catch(() => undefined)
    .finally(() => {
      preloadApp()
      openApp()
    })
} else if (!isPrerendered) openApp()

function openApp(): void {
  import('#web/app/open-app.tsx').then(
    (app) => app.openApp(),
    () => showLoadFailure(openApp),
  )
}

/** Fetches at once what the app would ask for step by step; the build lists it in the page. */
function preloadApp(): void {
  const files = JSON.parse(document.getElementById('app-files')?.textContent ?? '[]') as readonly string[]
  for (const href of files) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
