// Page numbers of a pagination: margins, a range around the current page, and gaps.

export type PageItem = number | 'gap'

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
