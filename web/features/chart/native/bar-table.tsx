// Visible bars as a table, for screen readers and for reading exact values.
import { useSyncExternalStore } from 'react'
import type { DataLabel } from '#shared/candles/candle.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badge.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { useMarketStatus } from '#web/features/market-data/market-status.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'
import type { NativeChart } from './chart-port.ts'

export interface BarTableProps {
  readonly chart: NativeChart
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly label: DataLabel | undefined
  /** Describes the adjustment; empty for unadjusted prices. */
  readonly adjusted: string
  readonly onClose: () => void
}

const rowsMax = 300
const { tableHead } = chartText
const columns = ['open', 'high', 'low', 'close', 'change', 'volume'] as const

export function BarTable({ chart, instrument, timeframe, adjusted, onClose }: BarTableProps) {
  // Re-renders when the chart's frame changes.
  useSyncExternalStore(chart.onFrame, chart.frame)
  const market = useMarketStatus(instrument.slug)
  const bars = chart.visibleBars(rowsMax).toReversed()
  const moment = useMarketMoment()
  const labels = market === undefined ? '' : badgesLine(feedBadges(market, moment))
  return (
    <section aria-label={chartText.table} className="absolute inset-0 z-20 flex flex-col bg-canvas">
      <div className="flex items-center justify-end border-b border-line px-3 py-1">
        <Button variant="outline" size="small" onClick={onClose}>
          {chartText.closeTable}
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section aria-label={chartText.tableRows} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <table data-testid="bar-table" className="w-full text-12">
          <caption className="px-3 py-1.5 text-left text-12 text-text-2">
            {chartText.tableCaption(
              instrument.name,
              timeframeLabel(timeframe),
              [labels, adjusted].filter((part) => part !== '').join('. '),
              market?.condition.label?.source,
            )}
          </caption>
          <thead className="sticky top-0 bg-surface text-text-2">
            <tr>
              <th scope="col" className="px-3 py-1 text-left font-medium">
                {tableHead.moment}
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" className="px-3 py-1 text-right font-medium">
                  {tableHead[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.index} className="border-t border-line">
                <th scope="row" className="px-3 py-1 text-left font-normal whitespace-pre">
                  {bar.moment}
                </th>
                {columns.map((name) => (
                  <td key={name} className="px-3 py-1 text-right whitespace-nowrap">
                    {bar[name] ?? chartText.unknown}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {bars.length === 0 && <p className="px-3 py-4 text-13 text-text-2">{chartText.tableEmpty}</p>}
      </section>
    </section>
  )
}
