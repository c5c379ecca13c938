// The app over a router: in the browser, and at build time for the first view of landing page and sign-in.
import { StrictMode } from 'react'
import { RouterProvider } from 'react-router/dom'
import { Providers, type ProvidersProps } from './providers.tsx'
import type { createRouter } from './routes.tsx'

export interface AppProps extends Omit<ProvidersProps, 'children'> {
  readonly router: ReturnType<typeof createRouter>
}

export function App({ router, ...callbacks }: AppProps) {
  return (
    <StrictMode>
      <Providers {...callbacks}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  )
}
