// Current price condition of a series, in the words of the chart's badge; unknown while nothing subscribes to it.
import { indianZone } from '#shared/base/india-time.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { feedBadges } from '#shared/chart/market-badge.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'

const tones = { ok: 'text-ok', warn: 'text-warn', danger: 'text-danger', plain: 'text-text-2' } as const

interface MarketStatusCellProps {
  readonly condition: LiveCondition | null
  /** Time of the report, epoch milliseconds. */
  readonly nowMs: number
}

export function MarketStatusCell({ condition, nowMs }: MarketStatusCellProps) {
  if (condition === null) return <span className="block text-text-3 md:py-1.5">{text.notInView}</span>
  return (
    <div className="grid max-w-64 gap-1 whitespace-normal max-md:max-w-full md:py-1.5">
      <ConditionText condition={condition} nowMs={nowMs} />
    </div>
  )
}

function ConditionText({ condition, nowMs }: { readonly condition: LiveCondition; readonly nowMs: number }) {
  const { label, reason } = condition
  return (
    <span>
      {feedBadges({ condition, isConnected: true }, { nowMs, zone: indianZone }).map((badge) => (
        <span key={badge.text} title={badge.note} className={`mr-1.5 text-11 font-semibold tracking-wide ${tones[badge.tone]}`}>
          {badge.text}
        </span>
      ))}
      {label !== null && <span>{label.source}</span>}
      {reason !== null && <span className="block text-text-2 [overflow-wrap:anywhere]">{reason}</span>}
    </span>
  )
}
