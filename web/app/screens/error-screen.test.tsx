// Error screens: one per HTTP status, and the crash screen for everything else.
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { takeLoggedErrors } from '#web/testing/console.ts'
import { eventually } from '#web/testing/eventually.ts'
import { renderBare } from '#web/testing/render.tsx'
import { createRouter } from '../routes.tsx'
import { ErrorScreen } from './error-screen.tsx'

function reject(status: number): never {
  // What the router throws for a rejected screen or loader.
  throw new Response('', { status })
}

/** The error is logged to the console; a crash also dispatches an error event, which is reported to the server. */
async function expectLogged(words: string, isReported: boolean): Promise<void> {
  const logged: string[] = []
  await eventually(() => {
    logged.push(...takeLoggedErrors())
    expect(logged).toContainEqual(expect.stringContaining(words))
  })
  expect(logged.some((entry) => entry.startsWith('Uncaught'))).toBe(isReported)
}

test.each([
  [400, '400 Bad request'],
  [403, '403 Forbidden'],
  [404, '404 Not found'],
  [405, '405 Method not allowed'],
  [418, 'Unexpected Application Error!'],
])('status %d has its own page [spec 8.17]', async (status, words) => {
  const router = createMemoryRouter([
    {
      path: '/',
      loader: () => reject(status),
      element: <p>The screen</p>,
      hydrateFallbackElement: <p>Loading</p>,
      errorElement: <ErrorScreen />,
    },
  ])
  const page = renderBare(<RouterProvider router={router} />)
  await page.see(words)
  await page.find('img')
  expect((await page.find('link', 'Go to Homepage')).getAttribute('href')).toBe('/')
  expect(page.has('The screen')).toBe(false)
  await expectLogged('', words === 'Unexpected Application Error!')
})

test.each([
  [400, '400 Bad request'],
  [405, '405 Method not allowed'],
] as const)('a page that the server sends with status %d is that screen, at every address', async (errorStatus, words) => {
  window.history.replaceState(null, '', '/eur-usd')
  const router = createRouter({ errorStatus })
  const page = renderBare(<RouterProvider router={router} />)
  await page.see(words)
  expect((await page.find('link', 'Go to Homepage')).getAttribute('href')).toBe('/')
  await expectLogged('', false)
  router.dispose()
})

test('a crash shows the crash screen with a reload button [spec 8.16]', async () => {
  function Broken(): never {
    throw new Error('the words of the failure')
  }
  const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <ErrorScreen /> }])
  const page = renderBare(<RouterProvider router={router} />)
  await page.see('Unexpected Application Error!')
  await page.find('button', 'Reload the page')
  expect(page.has(/the words of the failure/)).toBe(false)
  await expectLogged('the words of the failure', true)
})
