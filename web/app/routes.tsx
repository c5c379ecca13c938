// Routes; each screen is a lazy-loaded chunk.
import { createBrowserRouter, Outlet, ScrollRestoration, type RouteObject, Navigate, useLocation } from 'react-router'
import type { Site } from '#shared/base/site.ts'
import { chartPaths } from '#shared/instruments/instruments.ts'
import { site } from '#web/lib/site.ts'
import { paths, visitorPaths } from './paths.ts'
import { ErrorScreen } from './screens/error-screen.tsx'
import { routeScreens, screens } from './screens.tsx'
import { type ReactNode, useState } from 'react'
import { useUser } from '#web/features/auth/api.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed, ScreenFailed } from '#web/ui/part-failed.tsx'
import { NestedDialogContext } from '#web/ui/nested-dialog-context.ts'
import { AdminSkeleton, ShellSkeleton } from './screens/shell-skeleton.tsx'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'

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

const ConsentBanner = fetched(async () => (await import('#web/features/privacy/consent-banner.tsx')).ConsentBanner)

/** Screens that are always accessible; a reset link from an email also replaces a temporary password. */
const open: readonly string[] = [...visitorPaths, paths.privacy]

/** Renders the children for visitors and for users without an open step. The server enforces access on its own. */
function RequireOnboarding({ children }: { readonly children: ReactNode }) {
  const { user, retry } = useUser()
  const { pathname } = useLocation()
  // Until the last step: recovery codes are shown after the server already counts the factor as set up.
  const [setupOf, setSetupOf] = useState<string>()
  if (user?.mustAddSecondFactor === true && setupOf !== user._id) setSetupOf(user._id)
  if (user === undefined && setupOf !== undefined) setSetupOf(undefined)
  if (retry !== undefined && !open.includes(pathname)) return <ScreenFailed onRetry={retry} />
  if (user === undefined || open.includes(pathname)) return children
  if (user.mustChangePassword === true) return <screens.choosePassword />
  if (setupOf === user._id) return <screens.addSecondFactor onDone={() => setSetupOf(undefined)} />
  if (pathname === paths.account) return children
  if (user.consent === 'withdrawn') return <Navigate to={paths.account} replace />
  if (user.consent !== 'missing') return children
  return (
    // The page's skip link stays the first tab stop.
    <div className="flex h-dvh flex-col-reverse [--page-height:100%]">
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      <ConsentBanner accountPath={paths.account} />
    </div>
  )
}

/** Shows the shell's skeleton while a stored session is verified, so that no landing page flashes. */
function Home() {
  const { user, isLoading } = useUser()
  if (isLoading) return <ShellSkeleton />
  if (user === undefined || user.email === '') return <screens.landing />
  return <screens.shell />
}

/** Renders its children for admins only. */
function RestrictedToAdmins({ children }: { readonly children: ReactNode }) {
  const { user, isLoading } = useUser()
  if (isLoading) return <AdminSkeleton />
  return findAccessRestriction('admin', user) === undefined ? children : <screens.status status={403} />
}
