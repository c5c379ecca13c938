// Shown in place of a Tezi chart whose sources have no prices: why, that it recovers by itself, and where to look meanwhile.
import type { LiveCondition } from '#shared/market-data/live.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { ChartLineIcon } from '#web/ui/icon.ts'
import { ChartCard } from '../chart-card.tsx'
import { OpenOnProvider } from '../provider-link.tsx'

export interface NoSourceCardProps {
  readonly condition: LiveCondition
  /** Symbol of the instrument at the provider. */
  readonly symbol: string
}

export function NoSourceCard({ condition: { reason }, symbol }: NoSourceCardProps) {
  const sentence = (reason ?? chartText.noSource).replace(/[^.]$/, '$&.')
  return (
    <ChartCard
      icon={<ChartLineIcon className="size-5" strokeWidth={1.5} />}
      title={chartText.noSourceTitle}
      text={`${sentence} ${chartText.noSourceHint}`}
    >
      <OpenOnProvider symbol={symbol} />
    </ChartCard>
  )
}
