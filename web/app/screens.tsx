// The screens by name; each is its own chunk, fetched when first needed or as soon as the address tells.
import { lazy, type ComponentType } from 'react'
import { findInstrumentAt } from '#shared/market/instruments.ts'
import { session } from '#web/lib/storage.ts'
import { paths } from './paths.ts'

const load = {
  landing: () => import('./screens/landing.tsx'),
  login: () => import('./screens/login.tsx'),
  shell: () => withCalendar(() => import('./shell/shell.tsx')),
  chart: () => withCalendar(() => import('./screens/chart.tsx')),
  ownChart: () => import('#web/features/market/native/native-stage.tsx'),
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
}

export const LandingScreen = named(load.landing, 'LandingScreen')
export const LoginScreen = named(load.login, 'LoginScreen')
export const Shell = named(load.shell, 'Shell')
export const ChartScreen = named(load.chart, 'ChartScreen')
export const NotFoundScreen = named(load.status, 'NotFoundScreen')
export const ForbiddenScreen = named(load.status, 'ForbiddenScreen')
export const BadRequestScreen = named(load.status, 'BadRequestScreen')
export const MethodNotAllowedScreen = named(load.status, 'MethodNotAllowedScreen')
export const AccountScreen = named(load.account, 'AccountScreen')
export const BrokerReturnScreen = named(load.brokerReturn, 'BrokerReturnScreen')
export const PrivacyScreen = named(load.privacy, 'PrivacyScreen')
export const ChoosePasswordScreen = named(load.choosePassword, 'ChoosePasswordScreen')
export const AddSecondFactorScreen = named(load.addSecondFactor, 'AddSecondFactorScreen')
export const ResetPasswordLinkScreen = named(load.mailLinks, 'ResetPasswordLinkScreen')
export const ConfirmEmailScreen = named(load.mailLinks, 'ConfirmEmailScreen')
export const AdminShell = named(load.adminShell, 'AdminShell')
export const AdminUsersScreen = named(load.adminUsers, 'AdminUsersScreen')
export const AdminRequestsScreen = named(load.adminRequests, 'AdminRequestsScreen')
export const AdminPlansScreen = named(load.adminPlans, 'AdminPlansScreen')
export const AdminPasswordScreen = named(load.adminPassword, 'AdminPasswordScreen')
export const AdminAuditScreen = named(load.adminAudit, 'AdminAuditScreen')
export const AdminInstrumentsScreen = named(load.adminInstruments, 'AdminInstrumentsScreen')
export const AdminMarketScreen = named(load.adminMarket, 'AdminMarketScreen')

/** Starts fetching what this address will show, beside the check of the session instead of after it. */
export function warmUp(path: string): void {
  const hasSession = session.token() !== undefined
  const isOwnChart = findInstrumentAt(path)?.widget !== 'live'
  const charts = hasSession ? [load.shell, load.chart, ...(isOwnChart ? [load.ownChart] : [])] : [load.landing]
  const others: Readonly<Record<string, () => Promise<unknown>>> = {
    [paths.login]: load.login,
    [paths.account]: load.account,
    [paths.privacy]: load.privacy,
    [paths.resetPassword]: load.mailLinks,
  }
  const other = path.startsWith(paths.admin) ? load.status : others[path]
  for (const fetchChunk of other === undefined ? charts : [other]) fetchChunk().catch(() => undefined)
}

/** Clock and countdown need Temporal; browsers that lack it fetch it before the first screen that does. */
async function withCalendar<T>(fetchChunk: () => Promise<T>): Promise<T> {
  const calendar = 'Temporal' in globalThis ? undefined : import('temporal-polyfill/global')
  const chunk = fetchChunk()
  await calendar
  return chunk
}

function named<Name extends string, Props = object>(fetchChunk: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>, name: Name) {
  return lazy(async () => ({ default: (await fetchChunk())[name] }))
}
