// Badges of the provider's widget, from its load state, the network and the trading hours.
import type { Instrument } from '#shared/instruments/instruments.ts'
import { widgetBadges, type WidgetState } from '#shared/chart/market-badges.ts'
import { marketText } from '#shared/text/en/market.ts'
import { BadgeList } from './badge-list.tsx'
import type { Stage } from './chart-stage.tsx'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'
import { useOnline } from './use-online.ts'

interface WidgetBadgeProps {
  readonly instrument: Pick<Instrument, 'sessionClass'>
  readonly stage: Stage
  readonly carries: WidgetState['carries']
  /** Substitute shown in place of the instrument; null for the instrument itself. */
  readonly proxy: string | null
}

export function WidgetBadge({ instrument, stage, carries, proxy }: WidgetBadgeProps) {
  const load = stage === 'loading' || stage === 'shown' ? stage : 'failed'
  const state: WidgetState = { load, isOnline: useOnline(), carries, sessionClass: instrument.sessionClass, proxy }
  return <BadgeList badges={widgetBadges(state, useMarketMoment())} source={marketText.source} />
}
