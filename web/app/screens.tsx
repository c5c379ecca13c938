// Screens by name; each is its own chunk, loaded on first use or preloaded for the address.
import type { ComponentType, ReactNode } from 'react'
import type { createMemoryRouter } from 'react-router'
import { isAdminPath } from '#shared/pages.ts'
import { findInstrumentAt } from '#shared/instruments/instruments.ts'
import { session } from '#web/lib/storage.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { ScreenFailed } from '#web/ui/part-failed.tsx'
import { paths } from './paths.ts'
import { AdminSkeleton, ShellSkeleton } from './screens/shell-skeleton.tsx'

const load = {
  landing: () => import('./screens/landing.tsx'),
  login: () => import('./screens/login.tsx'),
  shell: () => withCalendar(() => import('./shell/shell.tsx')),
  chart: () => withCalendar(() => import('./screens/chart.tsx')),
  ownChart: () => import('#web/features/chart/native/native-stage.tsx'),
  status: () => import('./screens/status.tsx'),
  account: () => import('./screens/account.tsx'),
  brokerReturn: () => import('./screens/broker-return.tsx'),
  privacy: () => import('./screens/privacy.tsx'),
  choosePassword: () => import('./screens/choose-password.tsx'),
  addSecondFactor: () => import('./screens/add-second-factor.tsx'),
  mailLinks: () => import('./screens/mail-links.tsx'),
  adminShell: () => import('./screens/admin-shell.tsx'),
  adminUsers: () => import('./screens/admin-users.tsx'),
  adminRequests: () => import('./screens/admin-requests.tsx'),
  adminPlans: () => import('./screens/admin-plans.tsx'),
  adminPassword: () => import('./screens/admin-password.tsx'),
  adminAudit: () => import('./screens/admin-audit.tsx'),
  adminMarket: () => import('./screens/admin-market.tsx'),
  adminInstruments: () => import('./screens/admin-instruments.tsx'),
  adminStatus: () => import('./screens/admin-status.tsx'),
}

/** Route screens: the router loads the next one before it leaves the current one. */
export const screens = {
  login: screen(load.login, 'LoginScreen'),
  account: screen(load.account, 'AccountScreen'),
  brokerReturn: screen(load.brokerReturn, 'BrokerReturnScreen'),
  privacy: screen(load.privacy, 'PrivacyScreen'),
  resetPasswordLink: screen(load.mailLinks, 'ResetPasswordLinkScreen'),
  confirmEmail: screen(load.mailLinks, 'ConfirmEmailScreen'),
  adminUsers: screen(load.adminUsers, 'AdminUsersScreen'),
  adminRequests: screen(load.adminRequests, 'AdminRequestsScreen'),
  adminPlans: screen(load.adminPlans, 'AdminPlansScreen'),
  adminPassword: screen(load.adminPassword, 'AdminPasswordScreen'),
  adminAudit: screen(load.adminAudit, 'AdminAuditScreen'),
  adminMarket: screen(load.adminMarket, 'AdminMarketScreen'),
  adminInstruments: screen(load.adminInstruments, 'AdminInstrumentsScreen'),
  adminStatus: screen(load.adminStatus, 'AdminStatusScreen'),
  notFound: screen(load.status, 'NotFoundScreen'),
  adminNotFound: screen(load.status, 'AdminNotFoundScreen'),
}

/** Screens that depend on the user, or on an error. */
export const LandingScreen = named(load.landing, 'LandingScreen')
export const Shell = named(load.shell, 'Shell', <ShellSkeleton />)
export const ChartScreen = named(load.chart, 'ChartScreen')
export const AdminShell = named(load.adminShell, 'AdminShell', <AdminSkeleton />)
export const ChoosePasswordScreen = named(load.choosePassword, 'ChoosePasswordScreen')
export const AddSecondFactorScreen = named(load.addSecondFactor, 'AddSecondFactorScreen')
export const NotFoundScreen = named(load.status, 'NotFoundScreen')
export const ForbiddenScreen = named(load.status, 'ForbiddenScreen')
export const BadRequestScreen = named(load.status, 'BadRequestScreen')
export const MethodNotAllowedScreen = named(load.status, 'MethodNotAllowedScreen')

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
  if (findInstrumentAt(pathname) !== undefined) await LandingScreen.preload()
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
function screen<Name extends string>(fetchChunk: Chunk<Name, object>, name: Name) {
  const Component = named(fetchChunk, name)
  return async () => {
    await Component.preload().catch(() => undefined)
    return { Component }
  }
}

function named<Name extends string, Props extends object>(fetchChunk: Chunk<Name, Props>, name: Name, fallback?: ReactNode) {
  return fetched(async () => (await fetchChunk())[name], fallback, ScreenFailed)
}
