// Routes of the current user, and of the admin's user list and overview.
import { z } from 'zod'
import { queryNumber } from '#shared/http/query-number.ts'
import { route } from '#shared/http/route.ts'
import { userSchema } from './user.ts'

export const userRoutes = {
  me: route({
    method: 'GET',
    path: '/user',
    access: 'signed-in',
    summary: 'The signed-in user, read afresh.',
    reply: userSchema,
    errorStatuses: [401],
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

/** Matches are counted up to one above this: all users, and those of a search. */
export const usersCountMax = 100_000
export const searchCountMax = 1_000

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
    summary:
      'All users as an array; with page or perPage that slice. X-Total-Count is the number of matches (counted to 100,001; with a search to 1,001).',
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
}
