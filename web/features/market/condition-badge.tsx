// The badge of our own chart: what kind of prices these are, and whether they still come.
import { chartText } from '#shared/text/en/chart.ts'
import type { ShownMarket } from './shown-market.ts'
import { badgesOf } from './condition-text.ts'

const tones = {
  ok: 'border-ok/40 text-ok',
  warn: 'border-warn/40 text-warn',
  danger: 'border-danger/50 text-danger',
  plain: 'border-line-strong text-text-2',
} as const

export function ConditionBadge({ market }: { readonly market: ShownMarket | undefined }) {
  if (market === undefined) return null
  const badges = badgesOf(market)
  const { label, reason } = market.condition
  const explanation = [label?.mode === 'demo' ? chartText.demoNote : undefined, reason ?? undefined]
    .filter((part) => part !== undefined)
    .join(' ')
  return (
    <output data-testid="freshness" className="flex min-w-0 items-center gap-1.5 text-11 text-text-3">
      {badges.map((badge) => (
        <span
          key={badge.text}
          title={badge.note}
          className={`inline-flex shrink-0 items-center gap-1 rounded-control border px-1 py-px font-semibold tracking-wide whitespace-nowrap ${tones[badge.tone]}`}
        >
          {badge.tone === 'ok' && <span aria-hidden className="size-1.5 rounded-full bg-ok" />}
          {badge.text}
          {badge.note !== undefined && <span className="sr-only">: {badge.note}</span>}
        </span>
      ))}
      {explanation !== '' && <span className="truncate in-data-many:sr-only max-lg:sr-only">{explanation}</span>}
      {explanation === '' && label !== null && <span className="truncate in-data-many:sr-only max-sm:hidden">{label.source}</span>}
    </output>
  )
}
