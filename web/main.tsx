// Starts the page in the browser.
import '#web/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { Providers } from '#web/app/providers.tsx'
import { createRouter } from '#web/app/router.tsx'
import { warmUp } from '#web/app/screens.tsx'
import { watchSession } from '#web/lib/query.ts'
import { site } from '#web/lib/site.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root element')

document.title = `${site.brandName}: live charts for traders`
watchSession()
warmUp(location.pathname)

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={createRouter()} />
    </Providers>
  </StrictMode>,
)
