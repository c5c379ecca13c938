// Cards for charts that cannot be shown: what is wrong, and what a trader or an operator can do.
import { Link } from 'react-router'
import type { ChartConfig } from '#shared/chart/contract.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ChartLineIcon, RefreshIcon, WarningIcon } from '#web/ui/icon.ts'
import type { PartFailedProps } from '#web/ui/part-failed.tsx'
import { ChartCard } from './chart-card.tsx'
import { forgetFailures } from './chart-failures.ts'
import { OpenOnProvider } from './provider-link.tsx'
import { reach, useReach } from './reach.ts'
import { useEnginePreference, usePreferEngine } from './use-engine.ts'

const icon = { className: 'size-5', strokeWidth: 1.5 } as const

export function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Button onClick={onRetry} icon={<RefreshIcon aria-hidden className="size-3.5" strokeWidth={1.75} />}>
      {marketText.retry}
    </Button>
  )
}

/** A full page load: a page that has run the provider's script must be unloaded. */
export function OpenMarketData() {
  return (
    <a href="/admin/market" className={buttonClass('outline')}>
      {chartText.openMarketData}
    </a>
  )
}

export function FailedCard({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <ChartCard icon={<WarningIcon {...icon} />} title={marketText.configFailedTitle} text={marketText.configFailed}>
      <RetryButton onRetry={onRetry} />
    </ChartCard>
  )
}

/** The code of the chart is missing. */
export function ChunkFailedCard({ onRetry }: PartFailedProps) {
  return (
    <ChartCard icon={<WarningIcon {...icon} />} title={chartText.chunkFailedTitle} text={chartText.chunkFailed}>
      <RetryButton onRetry={onRetry} />
    </ChartCard>
  )
}

/** Shown when an admin has hidden the instrument. */
export function HiddenCard({ freeChart }: { readonly freeChart: string }) {
  return (
    <ChartCard icon={<ChartLineIcon {...icon} />} title={chartText.hiddenTitle} text={chartText.hidden}>
      <Link to={freeChart} className={buttonClass()}>
        {marketText.openFreeChart}
      </Link>
    </ChartCard>
  )
}

interface NoChartCardProps {
  readonly instrument: Instrument
  readonly config: ChartConfig
  readonly isAdmin: boolean
}

/** Shown when neither engine can display the instrument. */
export function NoChartCard({ instrument, config, isAdmin }: NoChartCardProps) {
  const preference = useEnginePreference()
  const preferEngine = usePreferEngine()
  const isUnreachable = useReach().reach === 'unreachable'
  const retry = () => {
    forgetFailures()
    reach.retry()
  }
  const text = isUnreachable ? chartText.noChartOffline : chartText.noChart(instrument.label)
  return (
    <ChartCard
      icon={<ChartLineIcon {...icon} />}
      title={chartText.noSourceTitle}
      text={isAdmin ? `${text} ${chartText.noChartOperator}` : text}
    >
      {preference === 'tezi' ? (
        <Button onClick={() => preferEngine('automatic')}>{chartText.chooseAutomatic}</Button>
      ) : (
        <RetryButton onRetry={retry} />
      )}
      <OpenOnProvider symbol={config.symbol} />
      {isAdmin && (
        <>
          <OpenMarketData />
          <a href="/admin/instruments" className={buttonClass('outline')}>
            {chartText.openInstruments}
          </a>
        </>
      )}
    </ChartCard>
  )
}
