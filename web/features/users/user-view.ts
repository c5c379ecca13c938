// Which users an admin looks at, as the address says it: search, days, order, page.
import { readDecimal } from '#shared/base/decimal.ts'

export interface UserView {
  readonly search: string
  /** ISO days in India, empty where open. */
  readonly from: string
  readonly to: string
  /** By start of premium; without it the newest accounts come first. */
  readonly sort: 'asc' | 'desc' | undefined
  /** Counted from 1. */
  readonly page: number
}

const pageMax = 1_000_000

/** Reads an address; what makes no sense counts as absent. */
export function readUserView(params: URLSearchParams): UserView {
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

/** The shortest address of a view. */
export function writeUserView({ page, ...filter }: UserView): URLSearchParams {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
  return new URLSearchParams(page === 1 ? pairs : [...pairs, ['page', String(page)]])
}

/** A change of filter or order starts at the first page again. */
export function changeUserView(view: UserView, change: Partial<UserView>): UserView {
  return { ...view, page: 1, ...change }
}

/** The filter as the contract takes it. */
export function filterOf({ search, from, to, sort }: UserView) {
  return {
    ...(search === '' ? {} : { search }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(sort === undefined ? {} : { sort }),
  }
}

function dayOf(value: string | null): string {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return ''
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) ? value : ''
}
