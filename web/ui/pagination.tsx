// Pagination: Previous, page numbers, Next.
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from './button.tsx'

export interface PaginationProps {
  /** Counted from 1. */
  readonly page: number
  readonly pageCount: number
  /** Whether there may be more pages. */
  readonly isOpenEnded?: boolean
  readonly onPage: (page: number) => void
}

export function Pagination({ page, pageCount, isOpenEnded = false, onPage }: PaginationProps) {
  return (
    <nav aria-label={text.pagination} className="flex flex-wrap items-center gap-1">
      <StepButton isPossible={page > 1} onPress={() => onPage(page - 1)} label={text.previous} />
      <ul className="flex flex-wrap items-center gap-0.5">
        {withKeys(pageItems(page, pageCount, isOpenEnded)).map(({ key, item }) => (
          <li key={key}>
            {item === 'gap' ? (
              <span aria-hidden className="grid size-7 place-items-center text-text-3">
                …
              </span>
            ) : (
              <button
                type="button"
                aria-label={text.page(item)}
                aria-current={item === page ? 'page' : undefined}
                onClick={() => onPage(item)}
                className={cn(
                  'h-7 min-w-7 rounded-control px-1.5 text-12 tabular-nums pointer-coarse:h-11 pointer-coarse:min-w-9',
                  item === page ? 'bg-hover font-medium text-text' : 'text-text-2 hover:bg-hover hover:text-text',
                )}
              >
                {item}
              </button>
            )}
          </li>
        ))}
      </ul>
      <StepButton isPossible={page < pageCount} onPress={() => onPage(page + 1)} label={text.next} />
    </nav>
  )
}

function StepButton({
  isPossible,
  onPress,
  label,
}: {
  readonly isPossible: boolean
  readonly onPress: () => void
  readonly label: string
}) {
  return (
    // Focusable also on the last page, so that keyboard users keep their position.
    <Button variant="outline" size="small" aria-disabled={!isPossible} onClick={isPossible ? onPress : undefined}>
      {label}
    </Button>
  )
}

function withKeys(items: ReturnType<typeof pageItems>) {
  return items.map((item, index) => ({ item, key: item === 'gap' ? `gap-after-${items[index - 1]}` : `page-${item}` }))
}

type PageItem = number | 'gap'

const marginPages = 2
const rangePages = 5

/**
 * Pages are counted from 1. A gap of a single page shows that page instead. With an open end there may be more pages than
 * `pageCount`, so the last margin is left out.
 */
export function pageItems(current: number, pageCount: number, isOpenEnded = false): readonly PageItem[] {
  const items = allItems(current, pageCount)
  const end = items.lastIndexOf('gap')
  const isBeforeEnd = typeof items[end + 1] === 'number' && (items[end + 1] as number) > current
  return isOpenEnded && end >= 0 && isBeforeEnd ? items.slice(0, end + 1) : items
}

function allItems(current: number, pageCount: number): readonly PageItem[] {
  const rangeStart = Math.max(1, Math.min(current - Math.floor(rangePages / 2), pageCount - rangePages + 1))
  const isShown = (page: number) =>
    page <= marginPages || page > pageCount - marginPages || (page >= rangeStart && page < rangeStart + rangePages)
  const items: PageItem[] = []
  let last = 0
  for (const page of candidates(rangeStart, pageCount).filter(isShown)) {
    if (page - last === 2) items.push(page - 1)
    else if (page - last > 2) items.push('gap')
    items.push(page)
    last = page
  }
  return items
}

/** Only pages that may be shown, so that ten thousand pages cost no more than ten. */
function candidates(rangeStart: number, pageCount: number): readonly number[] {
  const count = (from: number, length: number) => Array.from({ length }, (_, index) => from + index)
  const pages = [...count(1, marginPages), ...count(rangeStart, rangePages), ...count(pageCount - marginPages + 1, marginPages)]
  return [...new Set(pages)].filter((page) => page >= 1 && page <= pageCount).toSorted((a, b) => a - b)
}
