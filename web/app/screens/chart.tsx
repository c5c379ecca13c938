// The chart screen at `/` and at every instrument's address.
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { ReachNotice } from '#web/features/market/reach-notice.tsx'
import { usePlace } from '#web/features/market/use-place.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { useShell } from '../shell/shell-context.ts'
import { ChartCells } from './chart-cells.tsx'

export function ChartScreen() {
  const context = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  if (place.instrument === undefined) return null
  return (
    <div className="flex size-full flex-col">
      <ReachNotice />
      <div className="min-h-0 flex-1">
        <ChartCells {...context} />
      </div>
    </div>
  )
}
