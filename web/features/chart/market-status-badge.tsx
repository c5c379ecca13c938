// Badges of the Tezi chart: type of prices, and whether they are still updating.
import { connectingBadge, feedBadges } from '#shared/chart/market-badge.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { BadgeList } from './badge-list.tsx'
import { shownReason } from './shown-reason.ts'
import type { MarketStatus } from '#web/features/market-data/market-status.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'

export interface ConditionBadgeProps {
  /** Undefined while the state is unknown. */
  readonly market: Pick<MarketStatus, 'condition' | 'isConnected'> | undefined
  readonly isAdmin?: boolean
}

export function ConditionBadge({ market, isAdmin = false }: ConditionBadgeProps) {
  const moment = useMarketMoment()
  if (market === undefined) return <BadgeList badges={[connectingBadge]} />
  const { label, reason } = market.condition
  const notes = [modeNote(market.condition), shownReason(reason, isAdmin)].filter((note) => note !== undefined)
  return (
    <BadgeList badges={feedBadges(market, moment)} explanation={notes.length === 0 ? undefined : notes.join(' ')} source={label?.source} />
  )
}

function modeNote({ label, sessionClass }: MarketStatus['condition']): string | undefined {
  if (label?.mode === 'education') return chartText.educationNote
  if (label?.mode !== 'demo') return undefined
  return sessionClass === 'crypto' ? chartText.demoAlwaysNote : chartText.demoNote
}
