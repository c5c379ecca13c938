// Renders an address with the real router, or a single component, with all providers.
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { api } from '#shared/api.ts'
import type { User } from '#shared/users/user.ts'
import { Providers } from '#web/app/providers.tsx'
import { createRouter } from '#web/app/routes.tsx'
import { watchSession } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'
import { preloadToaster } from '#web/ui/toaster.tsx'
import { makeUser, type Kind } from '#shared/testing/user.ts'
import { server } from './fake-server.ts'
import { createPage, type Page } from './page.ts'

export interface OpenOptions {
  /** Signed-in user; default: none. */
  readonly as?: Kind | User
}

const routers: ReturnType<typeof createRouter>[] = []

watchSession()
preloadToaster()

/** Opens an address of the app. */
export function openPage(path: string, options: OpenOptions = {}): Page {
  signIn(options.as)
  window.history.replaceState(null, '', path)
  const router = createRouter()
  routers.push(router)
  return show(<RouterProvider router={router} />)
}

/** Renders one component, with a router of its own. */
export function renderUi(ui: ReactElement, options: OpenOptions = {}): Page {
  signIn(options.as)
  return show(<MemoryRouter>{ui}</MemoryRouter>)
}

/** Disposes the routers of a test. */
export function closeRouters(): void {
  for (const router of routers.splice(0)) router.dispose()
}

/** Renders a component that brings its own router, or needs none. */
export function renderBare(ui: ReactElement): Page {
  return show(ui)
}

function show(ui: ReactElement): Page {
  render(<Providers>{ui}</Providers>)
  return createPage(userEvent.setup({ delay: null }))
}

/** Simulates a returning user: the browser holds a token that the server knows. */
function signIn(as: Kind | User | undefined): void {
  if (as === undefined) return
  const user = typeof as === 'string' ? makeUser(as) : as
  session.save(server.startSession(user), user)
  answerSessionCalls()
}

/** Handlers for the calls that every signed-in page makes. */
export function answerSessionCalls(): void {
  const current = () => server.user ?? makeUser('free')
  server.on(api.users.me, current)
  server.on(api.presence.beOnline, () => {
    const { isPremium, status, premiumEndDate } = current()
    return { success: true, data: { isPremium, status, premiumEndDate } }
  })
  server.on(api.presence.beGone, () => ({ success: true }))
}
