// The SQL of users for admins. Their list has one generated search column, and is paged, never all in memory.
import { indiaDayStartMs, indiaZone } from '#shared/base/india-time.ts'
import { sql, type Expression, type SqlBool } from 'kysely'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { withinMs } from '#server/db/lift-timeouts.ts'
import { escapeLike } from '#server/db/escape-like.ts'
import type { PlanType } from '#shared/plans/plan.ts'
import { normaliseReference } from '#shared/subscriptions/rules.ts'
import { searchCountMax, usersCountMax, type Overview } from '#shared/users/contract.ts'
import { listedUserColumns, publicUserColumns, type ListedUserRow, type PublicUserRow } from './present-user.ts'

export interface UserFilter {
  /** A substring of name, email or reference; a reference also with spaces, or as a hash with 0x. */
  readonly search?: string | undefined
  /** First and last day, in India, on which premium started. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** By start of premium, users without one at the end; by default the newest accounts first. */
  readonly sort?: 'asc' | 'desc' | undefined
}

/** Counting stops here: further paging is unrealistic, and a count of a million takes half a second. */
const countMax = usersCountMax + 1
/**
 * Users that a search reads in the order of the list, before it uses an index: a common term has a thousand hits among
 * them, and an index would collect all of its hits first.
 */
const scannedMaxDefault = 20_000
/** Time of each step of a search that may read the whole table; after it the result is what is known by then. */
const searchMsDefault = 700
/** Longer terms contain trigrams. */
const gramMax = 2

interface Page {
  readonly limit: number
  readonly offset: number
}

/** A row with the text of its sort key, which is exact to the microsecond. */
export type KeyedUserRow = PublicUserRow & { readonly sort_key: string | null }

/**
 * Statements are sent unprepared, so that each is planned for its own search text: a generic plan is a
 * thousand times slower.
 */
export class UsersRepository {
  readonly #db: Db
  readonly #scannedMax: number
  readonly #searchMs: number

  constructor(db: Db, options: { readonly scannedMax?: number; readonly searchMs?: number } = {}) {
    this.#db = db
    this.#scannedMax = options.scannedMax ?? scannedMaxDefault
    this.#searchMs = options.searchMs ?? searchMsDefault
  }

  /** One page, and the number of matches, counted up to `countMax`, of a search up to one above `searchCountMax`. */
  async page(filter: UserFilter, { limit, offset }: Page): Promise<{ rows: ListedUserRow[]; total: number }> {
    if (isSearch(filter)) {
      const { ids, total } = await this.#found(filter, { limit, offset })
      return { rows: await this.byIds(filter, ids), total }
    }
    // The offset only scans ids, so a deep page reads the index and no rows.
    const ids = this.#matching(filter).select('users.id').orderBy(orderOf(filter)).limit(limit).offset(offset).as('page')
    const page = this.#db.selectFrom(ids).innerJoin('users', 'users.id', 'page.id').select(listedUserColumns).orderBy(orderOf(filter))
    const [rows, total] = await Promise.all([page.execute(), this.#count(filter)])
    return { rows, total }
  }

  /** The ids of one page, with or without a search, and the number of matches. */
  async ids(filter: UserFilter, page: Page): Promise<{ ids: string[]; total: number }> {
    if (isSearch(filter)) return this.#found(filter, page)
    const [ids, total] = await Promise.all([this.#pageIds(filter, page), this.#count(filter)])
    return { ids, total }
  }

  /** The users with these ids, in the order of the list. */
  async byIds(filter: UserFilter, ids: readonly string[]): Promise<ListedUserRow[]> {
    if (ids.length === 0) return []
    return this.#db
      .selectFrom('users')
      .select(listedUserColumns)
      .where('users.id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy(orderOf(filter))
      .execute()
  }

  /** The next rows after one, for reading all without holding a transaction. */
  after(filter: UserFilter, last: KeyedUserRow | undefined, limit: number): Promise<KeyedUserRow[]> {
    const some = this.#matching(filter).select([...publicUserColumns, sql<string | null>`${keyOf(filter)}::text`.as('sort_key')])
    return (last === undefined ? some : some.where(isAfter(filter, last))).orderBy(orderOf(filter)).limit(limit).execute()
  }

  async countAll(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Some users by name. */
  named(ids: readonly string[], limit: number): Promise<{ id: string; name: string; email: string }[]> {
    return this.#db
      .selectFrom('users')
      .select(['id', 'name', 'email'])
      .where('id', 'in', ids)
      .orderBy('name')
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /** The figures of the overview that are counted from users. */
  async figures(now: Date, soon: Date): Promise<Omit<Overview, 'revenue'>> {
    const { rows } = await sql<Record<'users' | 'premium' | 'pending' | 'expiring', string>>`
        select (select count(*) from users) as users,
          (select count(*) from users where status = 'paid' and premium_end > ${now})
            + (select count(*) from users where status = 'pending' and premium_end > ${now}) as premium,
          (select count(*) from users where status = 'pending') as pending,
          (select count(*) from users where status = 'paid' and premium_end > ${now} and premium_end <= ${soon}) as expiring`.execute(
      this.#db,
    )
    const [row] = rows
    return {
      users: Number(row?.users),
      premium: Number(row?.premium),
      pending: Number(row?.pending),
      expiringIn7Days: Number(row?.expiring),
    }
  }

  /** Accepted payments since an instant, by month in India and currency, in minor units. */
  async revenueSince(since: Date): Promise<{ month: string; type: PlanType; minor: number }[]> {
    const { rows } = await sql<{ month: string; type: PlanType; minor: string }>`
        select to_char(decided_at at time zone ${indiaZone}, 'YYYY-MM') as month, type, sum(price_minor) as minor
        from payment_requests where status = 'accepted' and decided_at >= ${since} group by 1, 2`.execute(this.#db)
    return rows.map((row) => ({ ...row, minor: Number(row.minor) }))
  }

  /** The hits among the first users of the list, in its order; complete only if there are `max`. */
  async #firstHits({ search = '', ...filter }: UserFilter, max: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom(
        this.#matching(filter)
          .select(['users.id', 'users.search', 'users.created_at', 'users.premium_start'])
          .orderBy(orderOf(filter))
          .limit(this.#scannedMax)
          .as('users'),
      )
      .select('users.id')
      .where(contains(search))
      .limit(max)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Up to `max` hits in the order of the list: all of them, if there are fewer. Undefined if it takes too long. */
  async #indexedHits(filter: UserFilter, max: number): Promise<string[] | undefined> {
    const rows = await withinMs(this.#db, this.#searchMs, (db) =>
      db
        .with(
          (hits) => hits('hits').materialized(),
          (builder) =>
            builder
              .selectFrom('users')
              .where((expression) => expression.and(conditionsOf(filter, hasTerm)))
              .select(['users.id', 'users.created_at', 'users.premium_start'])
              .limit(max),
        )
        .selectFrom('hits as users')
        .select('users.id')
        .orderBy(orderOf(filter))
        .execute(),
    )
    return rows?.map(({ id }) => id)
  }

  /** Ids of a page of a search, and the number of matches. */
  async #found(filter: UserFilter, { limit, offset }: Page): Promise<{ ids: string[]; total: number }> {
    const end = Math.min(countMax, offset + limit)
    const max = Math.max(searchCountMax + 1, end)
    const some = (ids: readonly string[], found: number) => ({
      ids: ids.slice(offset, end),
      total: Math.min(found, searchCountMax + 1),
    })
    const first = await this.#firstHits(filter, max)
    if (first.length === max) return some(first, max)
    const hits = await this.#indexedHits(filter, max)
    if (hits !== undefined && hits.length < max) return some(hits, hits.length)
    if (end <= first.length) return some(first, max)
    const exact = await withinMs(this.#db, this.#searchMs, (db) => this.#pageIds(filter, { limit, offset }, db))
    // The newest hits in their order, then what the index found, which may not be the next ones.
    return exact === undefined ? some([...new Set([...first, ...(hits ?? [])])], max) : { ids: exact, total: searchCountMax + 1 }
  }

  async #pageIds(filter: UserFilter, { limit, offset }: Page, db: Db = this.#db): Promise<string[]> {
    const rows = await this.#matching(filter, db).select('users.id').orderBy(orderOf(filter)).limit(limit).offset(offset).execute()
    return rows.map(({ id }) => id)
  }

  async #count(filter: UserFilter): Promise<number> {
    const matches = this.#matching(filter)
      .select(sql<number>`1`.as('one'))
      .limit(countMax)
      .as('some')
    const { count } = await this.#db
      .selectFrom(matches)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  #matching(filter: UserFilter, db: Db = this.#db) {
    return db.selectFrom('users').where((expression) => expression.and(conditionsOf(filter, contains)))
  }
}

const isSearch = (filter: UserFilter): filter is UserFilter & { search: string } => (filter.search ?? '') !== ''

function conditionsOf(filter: UserFilter, matches: (search: string) => Expression<SqlBool>): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (isSearch(filter)) conditions.push(matches(filter.search))
  if (filter.from !== undefined) conditions.push(sql<SqlBool>`users.premium_start >= ${new Date(indiaDayStartMs(filter.from))}`)
  if (filter.to !== undefined) conditions.push(sql<SqlBool>`users.premium_start < ${new Date(indiaDayStartMs(filter.to) + dayMs)}`)
  return conditions
}

function contains(search: string): Expression<SqlBool> {
  const reference = storedReference(search)
  if (reference === undefined) return containsText(search)
  return sql<SqlBool>`(${containsText(search)} or ${containsText(reference)})`
}

function containsText(text: string): Expression<SqlBool> {
  return sql<SqlBool>`users.search like lower(${`%${escapeLike(text)}%`})`
}

/** A search in the form in which references are stored, if it may be one and was typed in another form. */
function storedReference(search: string): string | undefined {
  const reference = normaliseReference(search)
  return /\d{4}/.test(reference) && reference !== search.toUpperCase() ? reference : undefined
}

/** The same from an index. Only for a search by it: computed for every row it is a hundred times as slow as `contains`. */
function hasTerm(search: string): Expression<SqlBool> {
  if ([...search].length > gramMax) return contains(search)
  return sql<SqlBool>`search_grams(users.search) @> array[lower(${search}::text)]`
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
