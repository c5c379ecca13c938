// Paths of the app's pages; the server answers all others with 404.
import { chartPaths } from '#shared/instruments/instruments.ts'
import { noticePath } from '#shared/privacy/notice-version.ts'

const fixedPages = [
  '/login',
  '/account',
  '/account/broker',
  noticePath,
  '/reset-password',
  '/confirm-email',
  '/admin',
  '/admin/user-req',
  '/admin/update-payment',
  '/admin/reset-password',
  '/admin/audit',
  '/admin/market',
  '/admin/instruments',
  '/admin/status',
]
const pages = new Set<string>([...chartPaths, ...fixedPages])

/** True for a path (without query) that the client router knows; one trailing slash is allowed. */
export function isPage(path: string): boolean {
  return pages.has(path) || (path.length > 1 && path.endsWith('/') && pages.has(path.slice(0, -1)))
}

/** True for every path of the admin area, also for one without a page. */
export function isAdminPath(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/')
}
