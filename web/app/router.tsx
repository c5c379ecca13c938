// Which address shows which screen; each screen is fetched when it is first needed.
import { createBrowserRouter, Outlet, ScrollRestoration, type RouteObject } from 'react-router'
import { chartPaths } from '#shared/market/instruments.ts'
import { Gate } from './gate.tsx'
import { paths } from './paths.ts'
import { ErrorScreen } from './screens/error.tsx'
import { Home } from './screens/home.tsx'
import { RestrictedToAdmins } from './screens/restricted-to-admins.tsx'
import { AdminShell, ChartScreen, screens } from './screens.tsx'

const charts: RouteObject[] = chartPaths.map((path) =>
  path === paths.home ? { index: true, element: <ChartScreen /> } : { path, element: <ChartScreen /> },
)

const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorScreen />,
    // Nothing for the moment until the code of the first screen is there; a skeleton would only flash.
    hydrateFallbackElement: <></>,
    children: [
      { path: paths.login, lazy: screens.login },
      { path: paths.account, lazy: screens.account },
      { path: paths.brokerReturn, lazy: screens.brokerReturn },
      { path: paths.privacy, lazy: screens.privacy },
      { path: paths.resetPassword, lazy: screens.resetPasswordLink },
      { path: paths.confirmEmail, lazy: screens.confirmEmail },
      {
        path: paths.admin,
        element: (
          <RestrictedToAdmins>
            <AdminShell />
          </RestrictedToAdmins>
        ),
        children: [
          { index: true, lazy: screens.adminUsers },
          { path: paths.adminRequests, lazy: screens.adminRequests },
          { path: paths.adminPlans, lazy: screens.adminPlans },
          { path: paths.adminPassword, lazy: screens.adminPassword },
          { path: paths.adminAudit, lazy: screens.adminAudit },
          { path: paths.adminMarket, lazy: screens.adminMarket },
          { path: paths.adminInstruments, lazy: screens.adminInstruments },
          { path: '*', lazy: screens.notFound },
        ],
      },
      { path: paths.home, element: <Home />, children: charts },
      { path: '*', lazy: screens.notFound },
    ],
  },
]

/** Makes the router; once, at the start. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(routes)
}

function Root() {
  return (
    <>
      <Gate>
        <Outlet />
      </Gate>
      <ScrollRestoration />
    </>
  )
}
