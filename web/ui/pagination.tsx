// Pagination: Previous, page numbers, Next.
import { kitText as text } from '#shared/text/en/kit.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from './button.tsx'
import { pageItems } from './page-numbers.ts'

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
