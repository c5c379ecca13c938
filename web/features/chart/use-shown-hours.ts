// Trading hours of the chart that the header and the alarm follow.
import { shownHours } from '#shared/chart/shown-hours.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { useMarketStatus } from '#web/features/market-data/market-status.ts'
import type { Place } from './use-chart-route.ts'

/** Those of the prices on the screen, generated ones and substitutes included; undefined if unknown. */
export function useShownHours({ instrument, choice }: Pick<Place, 'instrument' | 'choice'>): SessionClass | undefined {
  const market = useMarketStatus(instrument?.slug)
  if (instrument === undefined) return undefined
  const ours = choice.engine === 'native' ? market?.condition.sessionClass : undefined
  return ours ?? shownHours(instrument.sessionClass, choice)
}
