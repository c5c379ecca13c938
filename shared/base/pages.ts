// Which paths are pages of the product; the server answers the others with status 404 and the same picture.
import { chartPaths } from '#shared/market/instruments.ts'
import { noticePath } from '#shared/privacy/notice.ts'

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
]
const pages = new Set<string>([...chartPaths, ...fixedPages])

/** True for a path (without query) that the router of the browser knows; one trailing slash is forgiven. */
export function isPage(path: string): boolean {
  return pages.has(path) || (path.length > 1 && path.endsWith('/') && pages.has(path.slice(0, -1)))
}
