// What a failure of a screen looks like: a page per refusal, and the crash page for all else.
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { takeLoggedErrors } from '#web/testing/console.ts'
import { eventually } from '#web/testing/eventually.ts'
import { renderBare } from '#web/testing/render.tsx'
import { ErrorScreen } from './error.tsx'

function refuse(status: number): never {
  // What the router throws where a screen or its data is refused.
  throw new Response('', { status })
}

/** The failure itself goes to the console; a crash is also an error event, which is reported to the server. */
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
])('the refusal %d is answered by a page of its own', async (status, words) => {
  const router = createMemoryRouter([
    {
      path: '/',
      loader: () => refuse(status),
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

test('a crash is told calmly, with the way to load the page again', async () => {
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
