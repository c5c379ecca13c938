// User routes: current user, sessions, online users, admin user list.
import { z } from 'zod'
import { queryNumber } from '#shared/http/query-number.ts'
import { proofSchema } from '#shared/http/proof-of-work.ts'
import { route } from '#shared/http/route.ts'
import { accountStateSchema, userSchema } from './user.ts'

const done = z.object({ success: z.literal(true), message: z.string() })

const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  address: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
})

export type UserSession = z.output<typeof sessionSchema>

const tab = z.object({ tabId: z.uuid() })

export const userRoutes = {
  me: route({
    method: 'GET',
    path: '/user',
    access: 'signed-in',
    summary: 'The signed-in user, read afresh.',
    reply: userSchema,
    errorStatuses: [401],
  }),
  sessions: route({
    method: 'GET',
    path: '/user/sessions',
    access: 'signed-in',
    summary: 'Own sessions that are still alive, newest first.',
    reply: z.object({ success: z.literal(true), data: z.array(sessionSchema) }),
    errorStatuses: [401],
  }),
  endSession: route({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'signed-in',
    summary: 'End one of the own sessions.',
    params: z.object({ id: z.uuid() }),
    reply: done,
    errorStatuses: [400, 401, 403, 404],
  }),
  beOnline: route({
    method: 'POST',
    path: '/user/presence',
    access: 'signed-in',
    summary: 'This tab is open and has no live connection; to be repeated every minute. Tells what the subscription has become.',
    body: tab,
    isBackground: true,
    reply: z.object({ success: z.literal(true), data: accountStateSchema }),
    errorStatuses: [400, 401, 403],
  }),
  beGone: route({
    method: 'POST',
    path: '/user/presence/leave',
    access: 'signed-in',
    summary: 'This tab closes; it is never counted again under this id.',
    body: tab,
    isBackground: true,
    reply: z.object({ success: z.literal(true) }),
    errorStatuses: [400, 401, 403],
  }),
  online: route({
    method: 'GET',
    path: '/admin/getOnlineUsers',
    access: 'admin',
    summary: 'Who has a tab open now.',
    reply: z.object({
      success: z.literal(true),
      onlineUsers: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
    }),
    errorStatuses: [401, 403],
  }),
}

const search = z.string().trim().max(100).optional()
const day = z.iso.date().optional()

/** Filter of the user list; `from` and `to` are dates in India and limit the start of premium. */
const userFilter = z.object({
  search,
  from: day,
  to: day,
  /** By start of premium; default: newest accounts first. */
  sort: z.enum(['asc', 'desc']).optional(),
})

export const usersPerPage = 13

const auditSchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  address: z.string(),
  details: z.string(),
})

export type AuditRow = z.output<typeof auditSchema>

const money = z.object({ month: z.string(), inr: z.number(), usd: z.number() })

const overviewSchema = z.object({
  users: z.number().int(),
  premium: z.number().int(),
  pending: z.number().int(),
  expiringIn7Days: z.number().int(),
  /** Accepted payments of the last 12 months in India's calendar, oldest first; whole currency units. */
  revenue: z.array(money),
})

export type Overview = z.output<typeof overviewSchema>

export const adminRoutes = {
  users: route({
    method: 'GET',
    path: '/admin',
    access: 'admin',
    summary: 'All users as an array; with page or perPage that slice. X-Total-Count tells how many match (counted up to 100,000).',
    query: userFilter.extend({
      page: queryNumber(1, 1_000_000).optional(),
      perPage: queryNumber(1, 500).optional(),
    }),
    reply: z.array(userSchema),
    errorStatuses: [400, 401, 403],
  }),
  exportUsers: route({
    method: 'GET',
    path: '/admin/users.csv',
    access: 'admin',
    summary: 'The users of a filter as CSV, streamed.',
    query: userFilter,
    reply: z.string(),
    replyType: 'text/csv; charset=utf-8',
    errorStatuses: [400, 401, 403],
  }),
  overview: route({
    method: 'GET',
    path: '/admin/overview',
    access: 'admin',
    summary: 'The business in a few figures.',
    reply: z.object({ success: z.literal(true), data: overviewSchema }),
    errorStatuses: [401, 403],
  }),
  audit: route({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    summary: 'Acts of admins and refused ones, newest first, 50 at a time; `before` is the id that ended the last page.',
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      search,
    }),
    reply: z.object({ success: z.literal(true), data: z.array(auditSchema) }),
    errorStatuses: [400, 401, 403],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'admin',
    summary: 'Set the password of an account; all its sessions end. Asks for the own password when the sign-in is older than 15 minutes.',
    body: z.object({ email: z.string().default(''), newPassword: z.string().default('') }),
    reply: done,
    errorStatuses: [400, 401, 403, 404, 429],
  }),
}

export const selfRoutes = {
  confirm: route({
    method: 'POST',
    path: '/auth/confirm',
    access: 'signed-in',
    summary: 'Give the own password again, as acts on money and passwords ask for.',
    body: z.object({ password: z.string().default('') }),
    reply: done,
    errorStatuses: [400, 401, 403, 429],
  }),
  changePassword: route({
    method: 'POST',
    path: '/user/password',
    access: 'signed-in',
    summary: 'Change the own password; the other sessions end.',
    body: z.object({
      currentPassword: z.string().default(''),
      newPassword: z.string().default(''),
      confirmPassword: z.string().default(''),
    }),
    reply: done,
    errorStatuses: [400, 401, 403, 429],
  }),
  askForLink: route({
    method: 'POST',
    path: '/auth/password-link',
    access: 'anyone',
    summary: 'Mail a single-use link for a forgotten password. The answer is the same for any email.',
    body: z.object({ email: z.string().default(''), proof: proofSchema.optional() }),
    reply: done,
    errorStatuses: [400, 429, 503],
  }),
  useLink: route({
    method: 'POST',
    path: '/auth/password-link/use',
    access: 'anyone',
    summary: 'Set a new password with the link of a mail; works once, for 30 minutes, and ends all sessions.',
    body: z.object({ token: z.string().default(''), newPassword: z.string().default(''), confirmPassword: z.string().default('') }),
    reply: done,
    errorStatuses: [400, 403, 429],
  }),
}
