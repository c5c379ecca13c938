// The badges of a chart by the provider's widget, from what can be known of it: its load, the network, and the market's hours.
import type { Instrument } from '#shared/market/instruments.ts'
import { widgetBadges, type WidgetState } from '#shared/market/market-badges.ts'
import { marketText } from '#shared/text/en/market.ts'
import { BadgeList } from './badge-list.tsx'
import type { Stage } from './chart-stage.tsx'
import { useMarketMoment } from './use-market-moment.ts'
import { useOnline } from './use-online.ts'

interface WidgetBadgeProps {
  readonly instrument: Pick<Instrument, 'sessionClass'>
  readonly stage: Stage
  readonly carries: WidgetState['carries']
  /** What is shown in place of the instrument; null where it is the instrument itself. */
  readonly proxy: string | null
}

export function WidgetBadge({ instrument, stage, carries, proxy }: WidgetBadgeProps) {
  const load = stage === 'loading' || stage === 'shown' ? stage : 'failed'
  const state: WidgetState = { load, isOnline: useOnline(), carries, sessionClass: instrument.sessionClass, proxy }
  return <BadgeList badges={widgetBadges(state, useMarketMoment())} source={marketText.source} />
}
