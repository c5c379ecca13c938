// Screens by name; each is its own chunk, loaded on first use or preloaded for the address.
import type { ComponentType, ReactNode } from 'react'
import type { createMemoryRouter } from 'react-router'
import { isAdminPath } from '#shared/is-page.ts'
import { findInstrumentAt } from '#shared/instruments/instruments.ts'
import { session } from '#web/lib/browser-storage.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { ScreenFailed } from '#web/ui/part-failed.tsx'
import { paths } from './paths.ts'
import { AdminSkeleton, ShellSkeleton } from './screens/shell-skeleton.tsx'

const load = {
  landing: () => import('./screens/landing-screen.tsx'),
  login: () => import('./screens/login-screen.tsx'),
  shell: () => withCalendar(() => import('./shell/shell.tsx')),
  chart: () => withCalendar(() => import('./screens/chart-screen.tsx')),
  ownChart: () => import('#web/features/chart/native/native-stage.tsx'),
  status: () => import('./screens/status-screen.tsx'),
  account: () => import('./screens/account-screen.tsx'),
  brokerReturn: () => import('./screens/broker-return-screen.tsx'),
  privacy: () => import('./screens/privacy-screen.tsx'),
  choosePassword: () => import('./screens/choose-password-screen.tsx'),
  addSecondFactor: () => import('./screens/add-second-factor-screen.tsx'),
  mailLinks: () => import('./screens/mail-links.tsx'),
  adminShell: () => import('./screens/admin-shell.tsx'),
  adminUsers: () => import('./screens/admin-users-screen.tsx'),
  adminRequests: () => import('./screens/admin-requests-screen.tsx'),
  adminPlans: () => import('./screens/admin-plans-screen.tsx'),
  adminPassword: () => import('./screens/admin-password-screen.tsx'),
  adminAudit: () => import('./screens/admin-audit-screen.tsx'),
  adminMarket: () => import('./screens/admin-market-screen.tsx'),
  adminInstruments: () => import('./screens/admin-instruments-screen.tsx'),
  adminStatus: () => import('./screens/admin-status-screen.tsx'),
}

/** Screens for the router, which loads the next one before it leaves the current one. */
export const routeScreens = {
  login: routeScreen(load.login, 'LoginScreen'),
  account: routeScreen(load.account, 'AccountScreen'),
  brokerReturn: routeScreen(load.brokerReturn, 'BrokerReturnScreen'),
  privacy: routeScreen(load.privacy, 'PrivacyScreen'),
  resetPasswordLink: routeScreen(load.mailLinks, 'ResetPasswordLinkScreen'),
  confirmEmail: routeScreen(load.mailLinks, 'ConfirmEmailScreen'),
  adminUsers: routeScreen(load.adminUsers, 'AdminUsersScreen'),
  adminRequests: routeScreen(load.adminRequests, 'AdminRequestsScreen'),
  adminPlans: routeScreen(load.adminPlans, 'AdminPlansScreen'),
  adminPassword: routeScreen(load.adminPassword, 'AdminPasswordScreen'),
  adminAudit: routeScreen(load.adminAudit, 'AdminAuditScreen'),
  adminMarket: routeScreen(load.adminMarket, 'AdminMarketScreen'),
  adminInstruments: routeScreen(load.adminInstruments, 'AdminInstrumentsScreen'),
  adminStatus: routeScreen(load.adminStatus, 'AdminStatusScreen'),
  notFound: routeScreen(load.status, 'StatusScreen'),
  adminNotFound: routeScreen(load.status, 'AdminNotFoundScreen'),
}

/** Screens that depend on the user, or on an error. */
export const screens = {
  landing: screen(load.landing, 'LandingScreen'),
  shell: screen(load.shell, 'Shell', <ShellSkeleton />),
  chart: screen(load.chart, 'ChartScreen'),
  adminShell: screen(load.adminShell, 'AdminShell', <AdminSkeleton />),
  choosePassword: screen(load.choosePassword, 'ChoosePasswordScreen'),
  addSecondFactor: screen(load.addSecondFactor, 'AddSecondFactorScreen'),
  status: screen(load.status, 'StatusScreen'),
}

/** Preloads the screen of this address in parallel to the session check. */
export function warmUp(path: string): void {
  for (const fetchChunk of chunksOf(path, session.token() !== undefined)) fetchChunk().catch(() => undefined)
}

function chunksOf(path: string, hasSession: boolean): readonly (() => Promise<unknown>)[] {
  const isOwnChart = findInstrumentAt(path)?.widget !== 'live'
  const charts = hasSession ? [load.shell, load.chart, ...(isOwnChart ? [load.ownChart] : [])] : [load.landing]
  const others: Readonly<Record<string, () => Promise<unknown>>> = {
    [paths.login]: load.login,
    [paths.account]: load.account,
    [paths.privacy]: load.privacy,
    [paths.resetPassword]: load.mailLinks,
  }
  const other = isAdminPath(path) ? load.status : others[path]
  return other === undefined ? charts : [other]
}

/** Resolves when the first screen of a visitor can be rendered at once, as the build has rendered it; rejects if its code is missing. */
export async function firstScreen(router: ReturnType<typeof createMemoryRouter>): Promise<void> {
  const { pathname } = router.state.location
  await Promise.all(chunksOf(pathname, false).map((fetchChunk) => fetchChunk()))
  if (findInstrumentAt(pathname) !== undefined) await screens.landing.preload()
  if (router.state.initialized) return
  await new Promise<void>((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}

/** Clock and countdown need Temporal; browsers without it load the polyfill before the first screen that uses it. */
async function withCalendar<T>(fetchChunk: () => Promise<T>): Promise<T> {
  const calendar = 'Temporal' in globalThis ? undefined : import('temporal-polyfill/global')
  const chunk = fetchChunk()
  await calendar
  return chunk
}

type Chunk<Name extends string, Props> = () => Promise<Readonly<Record<Name, ComponentType<Props>>>>

/** The router shows the screen also when its code is missing, in whose place it says so. */
function routeScreen<Name extends string>(fetchChunk: Chunk<Name, object>, name: Name) {
  const Component = screen(fetchChunk, name)
  return async () => {
    await Component.preload().catch(() => undefined)
    return { Component }
  }
}

function screen<Name extends string, Props extends object>(fetchChunk: Chunk<Name, Props>, name: Name, fallback?: ReactNode) {
  return fetched(async () => (await fetchChunk())[name], fallback, ScreenFailed)
}
