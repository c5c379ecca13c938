// The chart screen at `/` and at every instrument's address.
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { ChartPanel } from '#web/features/market/chart-panel.tsx'
import { usePlace } from '#web/features/market/use-place.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { useShell } from '../shell/shell-context.ts'

export function ChartScreen() {
  const { isPremium, openPremium } = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  if (place.instrument === undefined) return null
  return <ChartPanel instrument={place.instrument} place={place} isPremium={isPremium} onWantPremium={openPremium} />
}
