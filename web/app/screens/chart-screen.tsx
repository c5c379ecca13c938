// Chart screen at `/` and at every instrument's address.
import { findInstrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { shownCharts } from '#shared/workspace/screen.ts'
import { isIndianMarket } from '#web/features/market-data/price-text.ts'
import { ReachNotice } from '#web/features/chart/reach-notice.tsx'
import { usePlace } from '#web/features/chart/use-chart-route.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { paths } from '../paths.ts'
import { useShell, type ShellContext } from '../shell/shell-context.ts'
import { ChartCells } from './chart-cells.tsx'

// Lazy: few users have a broker connection, and the chart must not wait for it.
const BrokerNotice = fetched(async () => (await import('#web/features/brokers/broker-notice.tsx')).BrokerNotice)

export function ChartScreen() {
  const context = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  if (place.instrument === undefined) return null
  return (
    <div className="flex size-full flex-col">
      {/* The candles of a phone keep their place. */}
      <div className="max-sm:order-last">
        <ReachNotice />
        {context.isPremium && hasIndianChart(context) && <BrokerNotice accountPath={paths.account} />}
      </div>
      <div className="min-h-0 flex-1">
        <ChartCells {...context} />
      </div>
    </div>
  )
}

/** Brokers only have prices of Indian exchanges. */
function hasIndianChart({ grid }: ShellContext): boolean {
  return shownCharts(grid.screen).some(({ chart }) => {
    const instrument = findInstrument(chart.slug)
    return instrument !== undefined && isIndianMarket(instrument.sessionClass)
  })
}
