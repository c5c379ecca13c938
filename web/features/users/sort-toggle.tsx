// Column header that toggles the sort order.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import { ArrowDownIcon, ArrowUpDownIcon, ArrowUpIcon } from '#web/ui/icon.ts'
import type { UserListParams } from './user-list-params.ts'

interface SortToggleProps {
  readonly sort: UserListParams['sort']
  readonly onSort: (sort: 'asc' | 'desc') => void
  readonly label: string
  readonly className?: string
}

export function SortToggle({ sort, onSort, label, className }: SortToggleProps) {
  const next = sort === 'asc' ? 'desc' : 'asc'
  const Icon = sort === undefined ? ArrowUpDownIcon : sort === 'asc' ? ArrowUpIcon : ArrowDownIcon
  return (
    <button
      type="button"
      title={next === 'asc' ? text.sortOldest : text.sortNewest}
      onClick={() => onSort(next)}
      className={cn(
        'inline-flex h-7 items-center gap-1 rounded-control px-1 text-12 font-medium hover:bg-hover hover:text-text pointer-coarse:h-11',
        sort === undefined ? 'text-text-2' : 'text-text',
        className,
      )}
    >
      {label}
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
    </button>
  )
}
