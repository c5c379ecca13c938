// Badges of the provider's widget, from its load state, the network and the trading hours.
import type { WidgetChart } from '#shared/chart/chart-choice.ts'
import { widgetBadges, type WidgetState } from '#shared/chart/market-badge.ts'
import { shownHours } from '#shared/chart/shown-hours.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { BadgeList } from './badge-list.tsx'
import type { Stage } from './chart-stage.tsx'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'
import { useOnline } from './use-online.ts'

interface WidgetBadgeProps {
  readonly instrument: Pick<Instrument, 'sessionClass'>
  readonly stage: Stage
  readonly choice: WidgetChart
}

export function WidgetBadge({ instrument, stage, choice }: WidgetBadgeProps) {
  const { support, proxy } = choice
  const load = stage === 'loading' || stage === 'shown' ? stage : 'failed'
  const sessionClass = shownHours(instrument.sessionClass, choice)
  const state: WidgetState = { load, isOnline: useOnline(), carries: support, sessionClass, proxy }
  return <BadgeList badges={widgetBadges(state, useMarketMoment())} source={marketText.source} />
}
