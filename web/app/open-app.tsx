// Opens the app in the page.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { prefetchUser } from '#web/features/auth/api.ts'
import { watchSession } from '#web/lib/query.ts'
import { site } from '#web/lib/site.ts'
import { session } from '#web/lib/storage.ts'
import { watchErrors } from '#web/lib/watch-errors.ts'
import { paths } from './paths.ts'
import { Providers } from './providers.tsx'
import { createRouter } from './router.tsx'
import { warmUp } from './screens.tsx'

/** Once per page. */
export function openApp(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no root element')
  document.title = `${site.brandName}: live charts for traders`
  watchErrors()
  watchSession()
  warmUp(location.pathname)
  prefetchUser()
  // Preloads while the success message of the sign-in is shown.
  session.onSave(() => warmUp(paths.home))
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={createRouter()} />
      </Providers>
    </StrictMode>,
  )
}
