// The screens by name; each is its own chunk, fetched when first needed or as soon as the address tells.
import { lazy, type ComponentType } from 'react'
import { session } from '#web/lib/storage.ts'
import { paths } from './paths.ts'

const load = {
  landing: () => import('./screens/landing.tsx'),
  login: () => import('./screens/login.tsx'),
  shell: () => withCalendar(() => import('./shell/shell.tsx')),
  chart: () => withCalendar(() => import('./screens/chart.tsx')),
  status: () => import('./screens/status.tsx'),
  adminShell: () => import('./screens/admin-shell.tsx'),
  onlineUsers: () => import('./screens/online-users.tsx'),
}

export const LandingScreen = named(load.landing, 'LandingScreen')
export const LoginScreen = named(load.login, 'LoginScreen')
export const Shell = named(load.shell, 'Shell')
export const ChartScreen = named(load.chart, 'ChartScreen')
export const NotFoundScreen = named(load.status, 'NotFoundScreen')
export const ForbiddenScreen = named(load.status, 'ForbiddenScreen')
export const BadRequestScreen = named(load.status, 'BadRequestScreen')
export const MethodNotAllowedScreen = named(load.status, 'MethodNotAllowedScreen')
export const AdminShell = named(load.adminShell, 'AdminShell')
export const OnlineUsersScreen = named(load.onlineUsers, 'OnlineUsersScreen')

/** Starts fetching what this address will show, beside the check of the session instead of after it. */
export function warmUp(path: string): void {
  const hasSession = session.token() !== undefined
  const wanted = path === paths.login ? [load.login] : hasSession ? [load.shell, load.chart] : [load.landing]
  for (const fetchChunk of path.startsWith(paths.admin) ? [load.status] : wanted) fetchChunk().catch(() => undefined)
}

/** Clock and countdown need Temporal; browsers that lack it fetch it before the first screen that does. */
async function withCalendar<T>(fetchChunk: () => Promise<T>): Promise<T> {
  const calendar = 'Temporal' in globalThis ? undefined : import('temporal-polyfill/global')
  const chunk = fetchChunk()
  await calendar
  return chunk
}

function named<Name extends string>(fetchChunk: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) {
  return lazy(async () => ({ default: (await fetchChunk())[name] }))
}
