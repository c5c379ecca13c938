// The first view of a visitor's pages as the browser will render it; run by the build.
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
import { App } from '#web/app/app.tsx'
import { paths } from '#web/app/paths.ts'
import { routes } from '#web/app/routes.tsx'
import { firstScreen } from '#web/app/screens.tsx'

/** Markup by address. */
export const prerenderedViews: Readonly<Record<string, string>> = Object.fromEntries(
  await Promise.all(
    [paths.home, paths.login, paths.signUp, paths.privacy, '/not-found'].map(async (address) => [address, await render(address)] as const),
  ),
)

async function render(address: string): Promise<string> {
  const router = createMemoryRouter([...routes], { initialEntries: [address] })
  await firstScreen(router)
  return renderToString(<App router={router} />)
}
