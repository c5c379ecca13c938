// Shown in place of a Tezi chart whose sources have no prices: that it recovers by itself, and where to look meanwhile.
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { ChartLineIcon } from '#web/ui/icon.ts'
import { ChartCard } from '../chart-card.tsx'
import { OpenMarketData, RetryButton } from '../chart-cards.tsx'
import { OpenOnProvider } from '../provider-link.tsx'
import { shownReason } from '../shown-reason.ts'

export interface NoSourceCardProps {
  readonly condition: LiveCondition
  /** Symbol of the instrument at the provider. */
  readonly symbol: string
  /** Admins read which source fails, and why. */
  readonly isAdmin: boolean
  readonly onRetry: () => void
}

export function NoSourceCard({ condition: { reason }, symbol, isAdmin, onRetry }: NoSourceCardProps) {
  const sentence = (shownReason(reason, isAdmin) ?? chartText.noSource).replace(/[^.]$/, '$&.')
  return (
    <ChartCard
      icon={<ChartLineIcon className="size-5" strokeWidth={1.5} />}
      title={chartText.noSourceTitle}
      text={`${sentence} ${chartText.noSourceHint}`}
    >
      <RetryButton onRetry={onRetry} />
      <OpenOnProvider symbol={symbol} />
      {isAdmin && <OpenMarketData />}
    </ChartCard>
  )
}
