// Setup file of the component tests: browser stubs, fake server, and checks after each test.
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { queryClient } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'
import { takeToasts } from '#web/lib/toast.ts'
import { closeRouters } from './render.tsx'
import { installBrowserStubs, setViewport } from './browser-stubs.ts'
import { trustDeviceClock } from './clock.ts'
import { takeLoggedErrors, watchConsole } from './console.ts'
import { server } from './fake-server.ts'

installBrowserStubs()
// Tests wait for visible content, as in a browser, so that nothing needs to be wrapped in act().
configure({ asyncWrapper: (act) => act(), eventWrapper: (act) => act() })

beforeEach(() => {
  watchConsole()
  vi.stubGlobal('fetch', server.fetch)
})

afterEach(async () => {
  vi.useRealTimers()
  trustDeviceClock()
  cleanup()
  closeRouters()
  session.clear()
  queryClient.clear()
  // Requests in flight at the end of a test reach this test's server.
  await new Promise((resolve) => setTimeout(resolve, 0))
  takeToasts()
  window.localStorage.clear()
  window.history.replaceState(null, '', '/')
  setViewport('desktop')
  const problems = [...server.problems, ...takeLoggedErrors().map((text) => `console.error: ${text}`)]
  server.reset()
  vi.unstubAllGlobals()
  if (problems.length > 0) throw new Error(problems.join('\n'))
})
