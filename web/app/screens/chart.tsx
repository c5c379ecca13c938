// The chart screen at `/` and at every instrument's address.
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { usePlace } from '#web/features/market/use-place.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { useShell } from '../shell/shell-context.ts'
import { ChartCells } from './chart-cells.tsx'

export function ChartScreen() {
  const context = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  return place.instrument === undefined ? null : <ChartCells {...context} />
}
