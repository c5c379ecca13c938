// The stories of the admin's area about users: list, export, overview.
import type { RequestActor } from '#server/http/request-actor.ts'
import { indianDayStartMs, indianZone } from '#shared/base/india-time.ts'
import { Readable } from 'node:stream'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import { usersPerPage, type Overview } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { adminUsersRepository, type KeyedUserRow, type UserFilter } from './admin-repository.ts'
import { csvLine } from './csv.ts'
import { presentUser } from './present.ts'

/** Without paging the answer is still one array; more than this would be no screen but a leak. */
const usersMax = 5000
const rowsPerBatch = 1000
const expiringMs = 7 * dayMs
const months = 12

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'
const csvHead = ['Name', 'Email', 'Phone', 'Premium', 'Status', 'Premium start', 'Months', 'Premium end', 'Payment type', 'UTR no']

export type AdminUsersService = ReturnType<typeof adminUsersService>

export function adminUsersService(needs: { db: Db; limits: Limits; now: () => number }) {
  const { db, limits, now } = needs
  const repository = adminUsersRepository(db)

  async function* csvOf(filter: UserFilter): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(csvHead)
    let last: KeyedUserRow | undefined
    do {
      const rows = await repository.after(filter, last, rowsPerBatch)
      if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(presentUser(row, now())))).join('')
      last = rows.length < rowsPerBatch ? undefined : rows.at(-1)
    } while (last !== undefined)
  }

  return {
    /**
     * A page of users (all, up to 5,000, where no page is asked for), and how many match, counted up to 100,001.
     * Logged each time for all, and once an hour for pages.
     */
    async list(
      admin: RequestActor,
      query: UserFilter & { page?: number | undefined; perPage?: number | undefined },
    ): Promise<{ users: User[]; total: number }> {
      const isPaged = query.page !== undefined || query.perPage !== undefined
      const limit = isPaged ? (query.perPage ?? usersPerPage) : usersMax
      const offset = ((query.page ?? 1) - 1) * limit
      const found = query.search === undefined || query.search === '' ? undefined : await repository.pageOfSearch(query, { limit, offset })
      const [rows, total] =
        found === undefined
          ? await Promise.all([repository.page(query, { limit, offset }), repository.count(query)])
          : [found.rows, found.total]
      if (!isPaged || (await limits.hit(`users-read:${admin.id}`, numbers.usersReadEntry)) === undefined) {
        const { page, perPage: _, ...filter } = query
        await writeAudit(db, {
          at: new Date(now()),
          actor: admin,
          action: 'users-read',
          target: { id: null, name: 'users' },
          address: admin.address,
          details: { filter, ...(isPaged ? { page: page ?? 1 } : {}), rows: rows.length },
        })
      }
      return { users: rows.map((row) => presentUser(row, now())), total }
    },

    /** The users of a filter as CSV, read in batches while it is sent; that it was taken is logged first. */
    async exportCsv(admin: RequestActor, filter: UserFilter): Promise<Readable> {
      await writeAudit(db, {
        at: new Date(now()),
        actor: admin,
        action: 'users-exported',
        target: { id: null, name: 'users' },
        address: admin.address,
        details: { filter },
      })
      return Readable.from(csvOf(filter))
    },

    async overview(): Promise<Overview> {
      const names = lastMonths(now(), months)
      const [figures, revenue] = await Promise.all([
        repository.figures(new Date(now()), new Date(now() + expiringMs)),
        repository.revenueSince(new Date(indianDayStartMs(`${names[0] ?? ''}-01`))),
      ])
      const sumOf = (month: string, type: 'regular' | 'crypto') =>
        revenue.filter((row) => row.month === month && row.type === type).reduce((sum, row) => sum + row.minor, 0) / 100
      return {
        users: figures.users,
        premium: figures.premium,
        pending: figures.pending,
        expiringIn7Days: figures.expiring,
        revenue: names.map((month) => ({ month, inr: sumOf(month, 'regular'), usd: sumOf(month, 'crypto') })),
      }
    },
  }
}

function cellsOf(user: User): (string | number | null)[] {
  return [
    user.name,
    user.email,
    user.phone,
    user.isPremium ? 'premium' : 'regular',
    user.status,
    user.premiumStartDate,
    user.subscriptionMonths,
    user.premiumEndDate,
    user.paymentType?.toUpperCase() ?? 'N/A',
    user.utrNo ?? 'N/A',
  ]
}

/** The last months of India's calendar as 2026-11, oldest first, the current one at the end. */
function lastMonths(nowMs: number, count: number): string[] {
  const current = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(indianZone).toPlainDate().toPlainYearMonth()
  return Array.from({ length: count }, (_, index) => current.subtract({ months: count - 1 - index }).toString())
}
