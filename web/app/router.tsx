// Which address shows which screen; each screen is fetched when it is first needed.
import { Suspense } from 'react'
import { createBrowserRouter, Outlet, ScrollRestoration, type RouteObject } from 'react-router'
import { chartPaths } from '#shared/market/instruments.ts'
import { Gate } from './gate.tsx'
import { paths } from './paths.ts'
import { ErrorScreen } from './screens/error.tsx'
import { Home } from './screens/home.tsx'
import { RestrictedToAdmins } from './screens/restricted-to-admins.tsx'
import {
  AccountScreen,
  AdminAuditScreen,
  AdminInstrumentsScreen,
  AdminMarketScreen,
  AdminPasswordScreen,
  AdminPlansScreen,
  AdminRequestsScreen,
  AdminShell,
  AdminUsersScreen,
  BrokerReturnScreen,
  ChartScreen,
  ConfirmEmailScreen,
  LoginScreen,
  NotFoundScreen,
  PrivacyScreen,
  ResetPasswordLinkScreen,
} from './screens.tsx'

const charts: RouteObject[] = chartPaths.map((path) =>
  path === paths.home ? { index: true, element: <ChartScreen /> } : { path, element: <ChartScreen /> },
)

const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorScreen />,
    children: [
      { path: paths.login, element: <LoginScreen /> },
      { path: paths.account, element: <AccountScreen /> },
      { path: paths.brokerReturn, element: <BrokerReturnScreen /> },
      { path: paths.privacy, element: <PrivacyScreen /> },
      { path: paths.resetPassword, element: <ResetPasswordLinkScreen /> },
      { path: paths.confirmEmail, element: <ConfirmEmailScreen /> },
      {
        path: paths.admin,
        element: (
          <RestrictedToAdmins>
            <AdminShell />
          </RestrictedToAdmins>
        ),
        children: [
          { index: true, element: <AdminUsersScreen /> },
          { path: paths.adminRequests, element: <AdminRequestsScreen /> },
          { path: paths.adminPlans, element: <AdminPlansScreen /> },
          { path: paths.adminPassword, element: <AdminPasswordScreen /> },
          { path: paths.adminAudit, element: <AdminAuditScreen /> },
          { path: paths.adminMarket, element: <AdminMarketScreen /> },
          { path: paths.adminInstruments, element: <AdminInstrumentsScreen /> },
          { path: '*', element: <NotFoundScreen /> },
        ],
      },
      { path: paths.home, element: <Home />, children: charts },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
]

/** Makes the router; once, at the start. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(routes)
}

function Root() {
  return (
    <Suspense fallback={null}>
      <Gate>
        <Outlet />
      </Gate>
      <ScrollRestoration />
    </Suspense>
  )
}
