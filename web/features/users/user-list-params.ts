// Search, dates, order and page of the user list as URL parameters.
import { isDay } from '#web/lib/day-text.ts'
import { readDecimal } from '#shared/base/read-decimal.ts'

export interface UserListParams {
  readonly search: string
  /** ISO dates in India, empty where open. */
  readonly from: string
  readonly to: string
  /** By start of premium; undefined sorts by newest account. */
  readonly sort: 'asc' | 'desc' | undefined
  /** Counted from 1. */
  readonly page: number
}

const pageMax = 1_000_000

/** Parses the parameters; invalid values are ignored. */
export function parseUserListParams(params: URLSearchParams): UserListParams {
  const sort = params.get('sort')
  const page = readDecimal(params.get('page') ?? '1')
  return {
    search: (params.get('search') ?? '').trim().slice(0, 100),
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
    sort: sort === 'asc' || sort === 'desc' ? sort : undefined,
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  }
}

/** The shortest URL parameters. */
export function writeUserListParams({ page, ...filter }: UserListParams): URLSearchParams {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
  return new URLSearchParams(page === 1 ? pairs : [...pairs, ['page', String(page)]])
}

/** A change of filter or order returns to the first page. */
export function changeUserListParams(params: UserListParams, change: Partial<UserListParams>): UserListParams {
  return { ...params, page: 1, ...change }
}

/** The filter in the format of the contract. */
export function filterOf({ search, from, to, sort }: UserListParams) {
  return {
    ...(search === '' ? {} : { search }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(sort === undefined ? {} : { sort }),
  }
}

function dayOf(value: string | null): string {
  return value !== null && isDay(value) ? value : ''
}
