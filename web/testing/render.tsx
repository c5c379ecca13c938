// Opens an address of the real router, or a single component, with everything around it that the product has.
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { api } from '#shared/api.ts'
import type { User } from '#shared/users/user.ts'
import { Providers } from '#web/app/providers.tsx'
import { createRouter } from '#web/app/router.tsx'
import { watchSession } from '#web/lib/query.ts'
import { session } from '#web/lib/storage.ts'
import { preloadToaster } from '#web/ui/toast.tsx'
import { makeUser, type Kind } from '#shared/testing/user.ts'
import { server } from './fake-server.ts'
import { createPage, type Page } from './page.ts'

export interface OpenOptions {
  /** Who is signed in; nobody unless said. */
  readonly as?: Kind | User
}

const routers: ReturnType<typeof createRouter>[] = []

watchSession()
preloadToaster()

/** Opens an address of the product. */
export function openPage(path: string, options: OpenOptions = {}): Page {
  signIn(options.as)
  window.history.replaceState(null, '', path)
  const router = createRouter()
  routers.push(router)
  return show(<RouterProvider router={router} />)
}

/** Draws one component, with a router whose address nobody sees. */
export function renderUi(ui: ReactElement, options: OpenOptions = {}): Page {
  signIn(options.as)
  return show(<MemoryRouter>{ui}</MemoryRouter>)
}

/** Ends what the pages of a test still listen to. */
export function closeRouters(): void {
  for (const router of routers.splice(0)) router.dispose()
}

/** Draws what brings a router of its own, or needs none. */
export function renderBare(ui: ReactElement): Page {
  return show(ui)
}

function show(ui: ReactElement): Page {
  render(<Providers>{ui}</Providers>)
  return createPage(userEvent.setup({ delay: null }))
}

/** A browser that was here before: it holds the token, and the server knows it. */
function signIn(as: Kind | User | undefined): void {
  if (as === undefined) return
  const user = typeof as === 'string' ? makeUser(as) : as
  session.save(server.startSession(user), user)
  answerSessionCalls()
}

/** What every signed-in page asks by itself. */
export function answerSessionCalls(): void {
  const current = () => server.user ?? makeUser('free')
  server.on(api.users.me, current)
  server.on(api.users.beOnline, () => {
    const { isPremium, status, premiumEndDate } = current()
    return { success: true, data: { isPremium, status, premiumEndDate } }
  })
  server.on(api.users.beGone, () => ({ success: true }))
}
