// The chart of one instrument: asks the server what it needs, then draws it, or says why there is nothing to draw.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Instrument } from '#shared/market/instruments.ts'
import type { ChartConfig } from '#shared/market/contract.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { marketText } from '#shared/text/en/market.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { site } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { ChartLineIcon, RefreshIcon, WarningIcon } from '#web/ui/icon.ts'
import { chartQuery } from './api.ts'
import { browserZone } from './browser-zone.ts'
import { ChartCard } from './chart-card.tsx'
import { ChartStage, LoadingOverlay, type Stage } from './chart-stage.tsx'
import type { ChartView } from './engines/engine.ts'
import { widgetEngine } from './engines/widget.ts'
import { LockedCard } from './locked-card.tsx'
import { OpenOnProvider } from './provider-link.tsx'
import { useSettled } from './use-settled.ts'

/** Arrow keys run through the timeframes; the frame waits until they stop. */
const settleMs = 250

const engine = widgetEngine(site.tradingViewMount)

export interface ChartProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly onStage: (stage: Stage) => void
  readonly onWantPremium: () => void
  /** Address of the chart that is free. */
  readonly freeChart: string
}

export function Chart(props: ChartProps) {
  const { instrument, isPremium } = props
  const isUnlocked = instrument.isFree || isPremium
  const { data, error, refetch } = useQuery({ ...chartQuery(instrument.slug, isPremium), enabled: isUnlocked })
  if (!isUnlocked || refusalOf(error)?.code === 'premium-required')
    return <LockedCard onWantPremium={props.onWantPremium} freeChart={props.freeChart} />
  if (data !== undefined) return data.widget === 'none' ? <RefusedCard symbol={data.symbol} /> : <WidgetChart {...props} config={data} />
  return error === null ? <LoadingOverlay /> : <FailedCard onRetry={() => void refetch()} />
}

function WidgetChart({ config, timeframe, onStage }: ChartProps & { readonly config: ChartConfig }) {
  const [attempt, setAttempt] = useState(0)
  const wanted = useMemo(() => viewOf(config, timeframe), [config, timeframe])
  const view = useSettled(wanted, settleMs, isOtherSymbol)
  const cardOf = useCallback(
    (stage: 'unreachable' | 'no-data') => (
      <ChartCard
        icon={<WarningIcon className="size-5" strokeWidth={1.5} />}
        title={stage === 'unreachable' ? marketText.unreachableTitle : marketText.noDataTitle}
        text={stage === 'unreachable' ? marketText.unreachable : marketText.noData}
      >
        <RetryButton onRetry={() => setAttempt((count) => count + 1)} />
        <OpenOnProvider symbol={view.symbol} />
      </ChartCard>
    ),
    [view.symbol],
  )
  return <ChartStage key={`${JSON.stringify(view)}#${attempt}`} engine={engine} view={view} onStage={onStage} cardOf={cardOf} />
}

function viewOf(config: ChartConfig, timeframe: Timeframe): ChartView {
  const { symbol, studies, name } = config
  return { symbol, timeframe, zone: browserZone, studies, title: `${name}, ${timeframeLabel(timeframe)} candles, chart by TradingView` }
}

function isOtherSymbol(next: ChartView, shown: ChartView): boolean {
  return next.symbol !== shown.symbol || next.title === shown.title
}

function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Button onClick={onRetry}>
      <RefreshIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
      {marketText.retry}
    </Button>
  )
}

function RefusedCard({ symbol }: { readonly symbol: string }) {
  return (
    <ChartCard icon={<ChartLineIcon className="size-5" strokeWidth={1.5} />} title={marketText.refusedTitle} text={marketText.refused}>
      <OpenOnProvider symbol={symbol} variant="solid" />
    </ChartCard>
  )
}

function FailedCard({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <ChartCard
      icon={<WarningIcon className="size-5" strokeWidth={1.5} />}
      title={marketText.configFailedTitle}
      text={marketText.configFailed}
    >
      <RetryButton onRetry={onRetry} />
    </ChartCard>
  )
}
