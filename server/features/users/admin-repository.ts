// The SQL of the admin's list of users: one generated search column, paged, never all in memory.
import { indianDayStartMs, indianZone } from '#shared/base/india-time.ts'
import { sql, type Expression, type SqlBool } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { escapeLike } from '#server/db/escape-like.ts'
import { publicUserColumns, type PublicUserRow } from './user-presenter.ts'

export interface UserFilter {
  /** A substring of name, email or reference. */
  readonly search?: string | undefined
  /** First and last day, in India, on which premium started. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** By start of premium, users without one at the end; by default the newest accounts first. */
  readonly sort?: 'asc' | 'desc' | undefined
}

/** Counting stops here: further paging is unrealistic, and a count of a million takes half a second. */
const countMax = 100_001

export interface UserPage {
  readonly limit: number
  readonly offset: number
}

/** A row with the text of its sort key, which is exact to the microsecond. */
export type KeyedUserRow = PublicUserRow & { readonly sort_key: string | null }

/**
 * Statements are sent unprepared, so that each is planned for its own search text: a generic plan is a
 * thousand times slower.
 */
export class AdminUsersRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** One page. The offset only scans ids, so a deep page reads the index and no rows. */
  page(filter: UserFilter, { limit, offset }: UserPage): Promise<PublicUserRow[]> {
    return this.#db
      .selectFrom(this.#matching(filter).select('users.id').orderBy(orderOf(filter)).limit(limit).offset(offset).as('page'))
      .innerJoin('users', 'users.id', 'page.id')
      .select(publicUserColumns)
      .orderBy(orderOf(filter))
      .execute()
  }

  /** Number of matches, counted up to `countMax`. */
  async count(filter: UserFilter): Promise<number> {
    const row = await this.#db
      .selectFrom(
        this.#matching(filter)
          .select(sql<number>`1`.as('one'))
          .limit(countMax)
          .as('some'),
      )
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  /**
   * One page of a search and the number of matches, from a single scan of the matching rows: they are scattered, and
   * fetching them is the main cost. Undefined for too many matches, where scanning the sort index is faster.
   */
  async pageOfSearch(filter: UserFilter, { limit, offset }: UserPage): Promise<{ rows: PublicUserRow[]; total: number } | undefined> {
    const rows = await this.#db
      .with(
        (hits) => hits('hits').materialized(),
        () => this.#matching(filter).select(['users.id', 'users.created_at', 'users.premium_start']).limit(countMax),
      )
      .with('page', (query) => query.selectFrom('hits as users').select('users.id').orderBy(orderOf(filter)).limit(limit).offset(offset))
      .selectFrom('page')
      .innerJoin('users', 'users.id', 'page.id')
      .select(publicUserColumns)
      .select((row) =>
        row
          .selectFrom('hits')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .as('total'),
      )
      .orderBy(orderOf(filter))
      .execute()
    const [first] = rows
    if (first === undefined) return offset === 0 ? { rows: [], total: 0 } : undefined
    return Number(first.total) < countMax ? { rows, total: Number(first.total) } : undefined
  }

  /** The next rows after one, for reading all without holding a transaction. */
  after(filter: UserFilter, last: KeyedUserRow | undefined, limit: number): Promise<KeyedUserRow[]> {
    const some = this.#matching(filter).select([...publicUserColumns, sql<string | null>`${keyOf(filter)}::text`.as('sort_key')])
    return (last === undefined ? some : some.where(isAfter(filter, last))).orderBy(orderOf(filter)).limit(limit).execute()
  }

  /** The figures of the overview that are counted from users. */
  async figures(now: Date, soon: Date): Promise<{ users: number; premium: number; pending: number; expiring: number }> {
    const { rows } = await sql<{ users: string; premium: string; pending: string; expiring: string }>`
        select (select count(*) from users) as users,
          (select count(*) from users where status = 'paid' and premium_end > ${now})
            + (select count(*) from users where status = 'pending' and premium_end > ${now}) as premium,
          (select count(*) from users where status = 'pending') as pending,
          (select count(*) from users where status = 'paid' and premium_end > ${now} and premium_end <= ${soon}) as expiring`.execute(
      this.#db,
    )
    const [row] = rows
    return { users: Number(row?.users), premium: Number(row?.premium), pending: Number(row?.pending), expiring: Number(row?.expiring) }
  }

  /** Accepted payments since an instant, by month in India and currency, in minor units. */
  async revenueSince(since: Date): Promise<{ month: string; type: 'regular' | 'crypto'; minor: number }[]> {
    const { rows } = await sql<{ month: string; type: 'regular' | 'crypto'; minor: string }>`
        select to_char(decided_at at time zone ${indianZone}, 'YYYY-MM') as month, type, sum(price_minor) as minor
        from payment_requests where status = 'accepted' and decided_at >= ${since} group by 1, 2`.execute(this.#db)
    return rows.map((row) => ({ ...row, minor: Number(row.minor) }))
  }

  #matching(filter: UserFilter) {
    return this.#db.selectFrom('users').where((expression) => expression.and(conditionsOf(filter)))
  }
}

function conditionsOf(filter: UserFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (filter.search !== undefined && filter.search !== '')
    conditions.push(sql<SqlBool>`users.search like lower(${`%${escapeLike(filter.search)}%`})`)
  if (filter.from !== undefined) conditions.push(sql<SqlBool>`users.premium_start >= ${new Date(indianDayStartMs(filter.from))}`)
  if (filter.to !== undefined) conditions.push(sql<SqlBool>`users.premium_start < ${new Date(indianDayStartMs(filter.to) + dayMs)}`)
  return conditions
}

function orderOf(filter: UserFilter) {
  if (filter.sort === 'asc') return sql`users.premium_start asc nulls last, users.id`
  if (filter.sort === 'desc') return sql`users.premium_start desc nulls last, users.id`
  return sql`users.created_at desc, users.id`
}

function keyOf(filter: UserFilter) {
  return filter.sort === undefined ? sql`users.created_at` : sql`users.premium_start`
}

function isAfter(filter: UserFilter, last: KeyedUserRow): Expression<SqlBool> {
  const key = keyOf(filter)
  if (last.sort_key === null) return sql<SqlBool>`(${key} is null and users.id > ${last.id})`
  const beyond = filter.sort === 'asc' ? sql`>` : sql`<`
  return sql<SqlBool>`(${key} ${beyond} ${last.sort_key}::timestamptz or (${key} = ${last.sort_key}::timestamptz and users.id > ${last.id}) or ${key} is null)`
}
