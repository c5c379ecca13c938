// Opens the app in the page: draws it, or brings the prerendered page to life.
import { createRoot, hydrateRoot } from 'react-dom/client'
import { appText } from '#shared/app/text/en.ts'
import { prefetchUser } from '#web/features/auth/api.ts'
import { hideLoadFailure } from '#web/lib/load-part.ts'
import { keepFields } from '#web/lib/keep-fields.ts'
import { watchSession } from '#web/lib/query-client.ts'
import { site } from '#web/lib/site.ts'
import { session } from '#web/lib/browser-storage.ts'
import { App } from './app.tsx'
import { paths } from './paths.ts'
import { createRouter } from './routes.tsx'
import { firstScreen, warmUp } from './screens.tsx'

/** Once per page. Resolves when it reacts to input; rejects without a change if the first screen is missing. */
export async function openApp(): Promise<void> {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no root element')
  const router = createRouter()
  // A prerendered page is a visitor's; the screen of a user replaces it.
  const isPrerendered = document.documentElement.dataset['prerendered'] !== undefined && session.token() === undefined
  if (isPrerendered)
    await firstScreen(router).catch((error: unknown) => {
      router.dispose()
      throw error
    })
  document.title = appText.documentTitle(site.brandName)
  watchErrors()
  watchSession()
  warmUp(location.pathname)
  prefetchUser()
  // Preloads while the success message of the sign-in is shown.
  session.onSave(() => warmUp(paths.home))

  const restoreFields = keepFields(root)
  await new Promise<void>((resolve) => {
    const app = <App router={router} onDrawn={restoreFields} onShown={resolve} />
    if (isPrerendered && isUntouched(root)) hydrateRoot(root, app)
    else createRoot(root).render(app)
  })
  hideLoadFailure()
}

/** A translator or an extension adds elements, which React would not find in its own view. */
function isUntouched(root: HTMLElement): boolean {
  return root.querySelectorAll('*').length === Number(root.dataset['elements'])
}

/** Reports uncaught errors; a caught error is reported by dispatching an ErrorEvent. The reporter's own errors are never reported. */
function watchErrors(): void {
  for (const type of ['error', 'unhandledrejection'])
    addEventListener(type, (event) => void import('#web/lib/error-reporter.ts').then(({ reportEvent }) => reportEvent(event), ignore))
}

function ignore(): void {}
