// The app over a router: in the browser, and at build time for the first view of landing page and sign-in.
import { StrictMode } from 'react'
import { RouterProvider } from 'react-router/dom'
import { Providers } from './providers.tsx'
import type { createRouter } from './router.tsx'

/** `onShown` is called after the first commit. */
export function App({
  router,
  onShown,
}: {
  readonly router: ReturnType<typeof createRouter>
  readonly onShown?: (() => void) | undefined
}) {
  return (
    <StrictMode>
      <Providers onShown={onShown}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  )
}
