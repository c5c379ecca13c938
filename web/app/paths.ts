// Paths of the screens other than charts.
import { noticePath } from '#shared/privacy/notice-version.ts'

export const paths = {
  home: '/',
  login: '/login',
  signUp: '/login?mode=sign-up',
  passwordLink: '/login?mode=password-link',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  account: '/account',
  brokerReturn: '/account/broker',
  privacy: noticePath,
  admin: '/admin',
  adminRequests: '/admin/user-req',
  adminPlans: '/admin/update-payment',
  adminPassword: '/admin/reset-password',
  adminAudit: '/admin/audit',
  adminMarket: '/admin/market',
  adminInstruments: '/admin/instruments',
  adminStatus: '/admin/status',
} as const

/** Pages that a visitor needs: sign-in, and the links of emails. */
export const visitorPaths: readonly string[] = [paths.login, paths.resetPassword, paths.confirmEmail]
