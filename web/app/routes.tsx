// Routes; each screen is a lazy-loaded chunk.
import { createBrowserRouter, Outlet, ScrollRestoration, type RouteObject } from 'react-router'
import type { Site } from '#shared/base/site.ts'
import { chartPaths } from '#shared/instruments/instruments.ts'
import { site } from '#web/lib/site.ts'
import { RequireOnboarding } from './require-onboarding.tsx'
import { paths, visitorPaths } from './paths.ts'
import { ErrorScreen } from './screens/error-screen.tsx'
import { Home } from './screens/home.tsx'
import { RestrictedToAdmins } from './screens/restricted-to-admins.tsx'
import { routeScreens, screens } from './screens.tsx'
import type { ReactNode } from 'react'
import { useUser } from '#web/features/auth/api.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { NestedDialogContext } from '#web/ui/nested-dialog-context.ts'

const charts: RouteObject[] = chartPaths.map((path) =>
  path === paths.home ? { index: true, element: <screens.chart /> } : { path, element: <screens.chart /> },
)

export const routes: readonly RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorScreen />,
    // Nothing until the code of the first screen has loaded; a skeleton would only flash.
    hydrateFallbackElement: <></>,
    children: [
      { path: paths.login, lazy: routeScreens.login },
      { path: paths.account, lazy: routeScreens.account },
      { path: paths.brokerReturn, lazy: routeScreens.brokerReturn },
      { path: paths.privacy, lazy: routeScreens.privacy },
      { path: paths.resetPassword, lazy: routeScreens.resetPasswordLink },
      { path: paths.confirmEmail, lazy: routeScreens.confirmEmail },
      {
        path: paths.admin,
        element: (
          <RestrictedToAdmins>
            <screens.adminShell />
          </RestrictedToAdmins>
        ),
        children: [
          { index: true, lazy: routeScreens.adminUsers },
          { path: paths.adminRequests, lazy: routeScreens.adminRequests },
          { path: paths.adminPlans, lazy: routeScreens.adminPlans },
          { path: paths.adminPassword, lazy: routeScreens.adminPassword },
          { path: paths.adminAudit, lazy: routeScreens.adminAudit },
          { path: paths.adminMarket, lazy: routeScreens.adminMarket },
          { path: paths.adminInstruments, lazy: routeScreens.adminInstruments },
          { path: paths.adminStatus, lazy: routeScreens.adminStatus },
          { path: '*', lazy: routeScreens.adminNotFound },
        ],
      },
      { path: paths.home, element: <Home />, children: charts },
      { path: '*', lazy: routeScreens.notFound },
    ],
  },
]

/** Creates the router, once at startup. */
export function createRouter({ errorStatus }: Pick<Site, 'errorStatus'> = site): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(errorStatus === undefined ? [...routes] : [errorRoute(errorStatus)])
}

/** The server has rejected the request, whatever its address is. */
function errorRoute(status: number): RouteObject {
  const loader = () => {
    throw new Response(null, { status })
  }
  return { path: '*', loader, errorElement: <ErrorScreen />, hydrateFallbackElement: <></> }
}

function Root() {
  return (
    <SessionEndedProvider>
      <RequireOnboarding>
        <Outlet />
      </RequireOnboarding>
      <ScrollRestoration />
    </SessionEndedProvider>
  )
}

const SessionEndedHost = fetched(
  async () => (await import('#web/features/auth/session-ended-host.tsx')).SessionEndedHost,
  null,
  HiddenPartFailed,
)

/** Visitors have no session that could end, and load nothing for it. */
function SessionEndedProvider({ children }: { readonly children: ReactNode }) {
  const { user, isLoading } = useUser()
  const host = (user !== undefined || isLoading) && <SessionEndedHost visitorPaths={visitorPaths} loginPath={paths.login} />
  return (
    <NestedDialogContext value={host}>
      {children}
      {host}
    </NestedDialogContext>
  )
}
