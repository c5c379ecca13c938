// Badges above a chart, with explanation and price source.
import type { MarketBadge } from '#shared/chart/market-badge.ts'
import { badgeClass } from './badge-tones.ts'

interface BadgeListProps {
  readonly badges: readonly MarketBadge[]
  /** What a badge cannot say, for example that prices are generated. */
  readonly explanation?: string | undefined
  /** Source of the prices; shown when there is no explanation. */
  readonly source?: string | undefined
}

/** Small screens show the short text; the header has the rest. */
function BadgeText({ badge: { text, shortText = text } }: { readonly badge: MarketBadge }) {
  return (
    <span className="truncate">
      <span>{shortText}</span>
      {shortText !== text && <span className="max-sm:sr-only in-data-many:sr-only">{text.slice(shortText.length)}</span>}
    </span>
  )
}

export function BadgeList({ badges, explanation, source }: BadgeListProps) {
  return (
    <output data-testid="freshness" className="flex min-w-0 flex-wrap items-center gap-1.5 text-11 text-text-3">
      {badges.map((badge) => (
        <span key={badge.text} title={badge.note} className={badgeClass(badge)}>
          {badge.tone === 'ok' && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-ok" />}
          <BadgeText badge={badge} />
          {badge.note !== undefined && <span className="sr-only">: {badge.note}</span>}
        </span>
      ))}
      {explanation !== undefined && <span className="truncate in-data-many:sr-only max-lg:sr-only">{explanation}</span>}
      {explanation === undefined && source !== undefined && <span className="truncate in-data-many:sr-only max-sm:hidden">{source}</span>}
    </output>
  )
}
