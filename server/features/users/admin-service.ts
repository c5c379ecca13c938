// Use cases of the admin's user management: list, export, overview.
import type { RequestActor } from '#server/http/session.ts'
import { rejectReversedRange } from '#server/http/serve.ts'
import { indiaDayStartMs, indiaZone } from '#shared/base/india-time.ts'
import { Readable } from 'node:stream'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import { usersPerPage, type Overview } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { AdminUsersRepository, type KeyedUserRow, type UserFilter } from './admin-repository.ts'
import { csvLine } from '#server/http/csv-line.ts'
import { presentListedUser, presentUser } from './user-presenter.ts'

/** Maximum without paging; more could not be displayed and would be a data leak. */
const usersMax = 5000
const rowsPerBatch = 1000
const expiringMs = 7 * dayMs
const months = 12

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'
const csvHead = ['Name', 'Email', 'Phone', 'Premium', 'Status', 'Premium start', 'Months', 'Premium end', 'Payment type', 'UTR no']

export class AdminUsersService {
  readonly #options: { db: Db; rateLimiter: RateLimiter; now: () => number }
  readonly #repository: AdminUsersRepository

  constructor(options: { db: Db; rateLimiter: RateLimiter; now: () => number }) {
    this.#options = options
    this.#repository = new AdminUsersRepository(options.db)
  }

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
    const offset = (page - 1) * limit
    const { rows, total } =
      filter.search === undefined || filter.search === ''
        ? await this.#page(filter, { limit, offset })
        : await this.#repository.search(filter, { limit, offset })
    if ((await this.#options.rateLimiter.hit(`users-read:${admin.id}`, rateLimits.usersReadEntry)) === undefined)
      await this.#noteRead(admin, { filter, page, rows: rows.length })
    return { users: rows.map((row) => presentListedUser(row, this.#options.now())), total }
  }

  /** Up to 5,000 users in batches that are read one after another, and the number of matches. Logged each time. */
  async listAll(admin: RequestActor, filter: UserFilter): Promise<{ batches: AsyncIterable<User[]>; total: number }> {
    rejectReversedRange(filter)
    const { ids, total } = await this.#repository.ids(filter, { limit: usersMax, offset: 0 })
    await this.#noteRead(admin, { filter, rows: ids.length })
    return { batches: this.#batchesOf(filter, ids), total }
  }

  /** The filtered users as CSV, streamed in batches; the export is logged first. */
  async exportCsv(admin: RequestActor, filter: UserFilter): Promise<Readable> {
    rejectReversedRange(filter)
    await writeAudit(this.#options.db, {
      at: new Date(this.#options.now()),
      actor: admin,
      action: 'users-exported',
      target: { id: null, name: 'users' },
      address: admin.address,
      details: { filter },
    })
    return Readable.from(this.#csvOf(filter))
  }

  async overview(): Promise<Overview> {
    const names = lastMonths(this.#options.now(), months)
    const [figures, revenue] = await Promise.all([
      this.#repository.figures(new Date(this.#options.now()), new Date(this.#options.now() + expiringMs)),
      this.#repository.revenueSince(new Date(indiaDayStartMs(`${names[0] ?? ''}-01`))),
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
  }

  async #page(filter: UserFilter, page: { limit: number; offset: number }) {
    const [rows, total] = await Promise.all([this.#repository.page(filter, page), this.#repository.count(filter)])
    return { rows, total }
  }

  async *#batchesOf(filter: UserFilter, ids: readonly string[]): AsyncGenerator<User[]> {
    for (let from = 0; from < ids.length; from += rowsPerBatch) {
      const rows = await this.#repository.byIds(filter, ids.slice(from, from + rowsPerBatch))
      yield rows.map((row) => presentListedUser(row, this.#options.now()))
    }
  }

  #noteRead(admin: RequestActor, details: { filter: UserFilter; page?: number; rows: number }): Promise<void> {
    return writeAudit(this.#options.db, {
      at: new Date(this.#options.now()),
      actor: admin,
      action: 'users-read',
      target: { id: null, name: 'users' },
      address: admin.address,
      details,
    })
  }

  async *#csvOf(filter: UserFilter): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(csvHead)
    let last: KeyedUserRow | undefined
    do {
      const rows = await this.#repository.after(filter, last, rowsPerBatch)
      if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(presentUser(row, this.#options.now())))).join('')
      last = rows.length < rowsPerBatch ? undefined : rows.at(-1)
    } while (last !== undefined)
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
