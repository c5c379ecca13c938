// Use cases of users: who is online, and the admin's list, export and overview.
import { Readable } from 'node:stream'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { csvLine } from '#server/http/csv-line.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import { rejectReversedRange } from '#server/http/serve.ts'
import type { RequestActor } from '#server/http/session.ts'
import { dayMs } from '#shared/base/durations.ts'
import { indiaDayStartMs, indiaZone } from '#shared/base/india-time.ts'
import type { PlanType } from '#shared/plans/plan.ts'
import { usersPerPage, type Overview } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import type { Presence, Tab } from './presence.ts'
import { presentListedUser, presentUser } from './present-user.ts'
import { UsersRepository, type KeyedUserRow, type UserFilter } from './repository.ts'

/** Maximum without paging; more could not be displayed and would be a data leak. */
const usersMax = 5000
const rowsPerBatch = 1000
const expiringMs = 7 * dayMs
const months = 12

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'
const csvHead = ['Name', 'Email', 'Phone', 'Premium', 'Status', 'Premium start', 'Months', 'Premium end', 'Payment type', 'UTR no']

export type UsersService = ReturnType<typeof usersService>

interface UsersDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
}

export function usersService({ db, rateLimiter, presence, now }: UsersDeps) {
  const repository = new UsersRepository(db)

  function log(admin: RequestActor, action: 'users-read' | 'users-exported', details: Readonly<Record<string, unknown>>): Promise<void> {
    const target = { id: null, name: 'users' }
    return writeAudit(db, { at: new Date(now()), actor: admin, action, target, address: admin.address, details })
  }

  async function* batchesOf(filter: UserFilter, ids: readonly string[]): AsyncGenerator<User[]> {
    for (let from = 0; from < ids.length; from += rowsPerBatch) {
      const rows = await repository.byIds(filter, ids.slice(from, from + rowsPerBatch))
      yield rows.map((row) => presentListedUser(row, now()))
    }
  }

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
    beOnline: (tab: Tab) => presence.see(tab, now()),
    beGone: (tab: Tab) => presence.leave(tab, now()),

    /** Users with an open tab by name; at most 500, which is more than the panel shows. */
    async online(): Promise<{ id: string; name: string; email: string }[]> {
      const ids = await presence.onlineUserIds(now())
      return ids.length === 0 ? [] : repository.named(ids.slice(0, 5000), 500)
    },

    /** Number of accounts. */
    count: () => repository.countAll(),

    /**
     * A page of users, and the number of matches, counted up to 100,001 (1,001 with a search). Logged once an hour.
     * @throws AppError invalid (`to` is before `from`)
     */
    async list(
      admin: RequestActor,
      query: UserFilter & { page?: number | undefined; perPage?: number | undefined },
    ): Promise<{ users: User[]; total: number }> {
      rejectReversedRange(query)
      const { page = 1, perPage: limit = usersPerPage, ...filter } = query
      const { rows, total } = await repository.page(filter, { limit, offset: (page - 1) * limit })
      if ((await rateLimiter.hit(`users-read:${admin.id}`, rateLimits.usersReadEntry)) === undefined)
        await log(admin, 'users-read', { filter, page, rows: rows.length })
      return { users: rows.map((row) => presentListedUser(row, now())), total }
    },

    /** Up to 5,000 users in batches that are read one after another, and the number of matches. Logged each time. */
    async listAll(admin: RequestActor, filter: UserFilter): Promise<{ batches: AsyncIterable<User[]>; total: number }> {
      rejectReversedRange(filter)
      const { ids, total } = await repository.ids(filter, { limit: usersMax, offset: 0 })
      await log(admin, 'users-read', { filter, rows: ids.length })
      return { batches: batchesOf(filter, ids), total }
    },

    /** The filtered users as CSV, streamed in batches; the export is logged first. */
    async exportCsv(admin: RequestActor, filter: UserFilter): Promise<Readable> {
      rejectReversedRange(filter)
      await log(admin, 'users-exported', { filter })
      return Readable.from(csvOf(filter))
    },

    async overview(): Promise<Overview> {
      const names = lastMonths(now(), months)
      const [figures, revenue] = await Promise.all([
        repository.figures(new Date(now()), new Date(now() + expiringMs)),
        repository.revenueSince(new Date(indiaDayStartMs(`${names[0] ?? ''}-01`))),
      ])
      const sumOf = (month: string, type: PlanType) =>
        revenue.filter((row) => row.month === month && row.type === type).reduce((sum, row) => sum + row.minor, 0) / 100
      return { ...figures, revenue: names.map((month) => ({ month, inr: sumOf(month, 'regular'), usd: sumOf(month, 'crypto') })) }
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

/** The last months of the Indian calendar as 2026-11, oldest first, ending with the current one. */
function lastMonths(nowMs: number, count: number): string[] {
  const current = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(indiaZone).toPlainDate().toPlainYearMonth()
  return Array.from({ length: count }, (_, index) => current.subtract({ months: count - 1 - index }).toString())
}
