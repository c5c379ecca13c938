// Range of shown users, and pagination.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { searchCountMax, usersCountMax } from '#shared/users/contract.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { Pagination } from '#web/ui/pagination.tsx'

export interface UsersPagesProps {
  readonly page: number
  readonly perPage: number
  /** Rows on this page. */
  readonly shown: number
  readonly total: number
  readonly isSearch: boolean
  readonly onPage: (page: number) => void
}

export function UsersPages({ page, perPage, shown, total, isSearch, onPage }: UsersPagesProps) {
  const before = (page - 1) * perPage
  const countMax = isSearch ? searchCountMax : usersCountMax
  const isMore = total > countMax
  const totalText = formatNumber(Math.min(total, countMax), 0, 'en-IN') + (isMore ? '+' : '')
  // Where nobody has counted, a full page may be followed by another one.
  const pageCount = Math.max(page + (isMore && shown === perPage ? 1 : 0), Math.ceil(Math.min(total, countMax) / perPage))
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-2">
      <p className="text-12 text-text-2 tabular-nums">{text.usersShown(before + 1, before + shown, totalText)}</p>
      <Pagination page={page} pageCount={pageCount} isOpenEnded={isMore} onPage={onPage} />
    </div>
  )
}
