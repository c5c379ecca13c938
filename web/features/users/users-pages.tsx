// Range of shown users, and pagination.
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { formatNumber } from '#web/lib/format-number.ts'
import { Pagination } from '#web/ui/pagination.tsx'

/** The server stops counting one above this. */
const countMax = 100_000

export interface UsersPagesProps {
  readonly page: number
  readonly perPage: number
  /** Rows on this page. */
  readonly shown: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export function UsersPages({ page, perPage, shown, total, onPage }: UsersPagesProps) {
  const before = (page - 1) * perPage
  const totalText = formatNumber(Math.min(total, countMax), 0, 'en-IN') + (total > countMax ? '+' : '')
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-2">
      <p className="text-12 text-text-2 tabular-nums">{text.usersShown(before + 1, before + shown, totalText)}</p>
      <Pagination page={page} pageCount={Math.max(page, Math.ceil(total / perPage))} onPage={onPage} />
    </div>
  )
}
