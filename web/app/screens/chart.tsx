// The chart screen at `/` and at every instrument's address.
import { findInstrument } from '#shared/market/instruments.ts'
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { shownCharts } from '#shared/workspace/screen-rules.ts'
import { isIndianMarket } from '#web/features/market/native/price-text.ts'
import { ReachNotice } from '#web/features/market/reach-notice.tsx'
import { usePlace } from '#web/features/market/use-place.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { paths } from '../paths.ts'
import { useShell, type ShellContext } from '../shell/shell-context.ts'
import { ChartCells } from './chart-cells.tsx'

// Few users have a broker connection, and the chart does not wait for it.
const BrokerNotice = fetched(async () => (await import('#web/features/brokers/broker-notice.tsx')).BrokerNotice)

export function ChartScreen() {
  const context = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  if (place.instrument === undefined) return null
  return (
    <div className="flex size-full flex-col">
      <ReachNotice />
      {context.isPremium && hasIndianChart(context) && <BrokerNotice accountPath={paths.account} />}
      <div className="min-h-0 flex-1">
        <ChartCells {...context} />
      </div>
    </div>
  )
}

/** Brokers have prices of Indian exchanges only. */
function hasIndianChart({ grid }: ShellContext): boolean {
  return shownCharts(grid.screen).some(({ chart }) => {
    const instrument = findInstrument(chart.slug)
    return instrument !== undefined && isIndianMarket(instrument.sessionClass)
  })
}
