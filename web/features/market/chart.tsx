// The chart of one instrument by the engine that shows it, or why there is nothing to draw.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState, type ComponentType } from 'react'
import type { Engine } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { ChartConfig } from '#shared/market/contract.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { timeframeLabel } from '#shared/market/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { marketText } from '#shared/text/en/market.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { site } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { RefreshIcon, WarningIcon } from '#web/ui/icon.ts'
import { chartQuery } from './api.ts'
import { browserZone } from './browser-zone.ts'
import { ChartCard } from './chart-card.tsx'
import { ChartStage, LoadingOverlay, type Stage } from './chart-stage.tsx'
import type { ChartView } from './engines/engine.ts'
import { widgetEngine } from './engines/widget.ts'
import { LockedCard } from './locked-card.tsx'
import type { NativeStageProps } from './native/native-stage.tsx'
import { OpenOnProvider } from './provider-link.tsx'
import { giveUpWidget, usePreferEngine, useEnginePreference } from './use-engine.ts'
import { useSettled } from './use-settled.ts'

/** Arrow keys run through the timeframes; the frame waits until they stop. */
const settleMs = 250
/** The frame says loaded before its first paint is finished. */
const widgetSettleMs = 800

const engine = widgetEngine(site.tradingViewMount)

const NativeStage = lazy<ComponentType<NativeStageProps>>(() =>
  import('./native/native-stage.tsx').then(
    ({ NativeStage }) => ({ default: NativeStage }),
    () => ({ default: ChunkFailedCard }),
  ),
)

export interface ChartProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly engine: Engine
  readonly isPremium: boolean
  readonly onStage: (stage: Stage) => void
  readonly onWantPremium: () => void
  /** Address of the chart that is free. */
  readonly freeChart: string
  /** Where the tools of our own chart go. */
  readonly toolSlot: HTMLElement | null
}

export function Chart(props: ChartProps) {
  const { instrument, isPremium, timeframe, onStage, toolSlot } = props
  const locked = <LockedCard onWantPremium={props.onWantPremium} freeChart={props.freeChart} />
  if (!instrument.isFree && !isPremium) return locked
  if (props.engine === 'widget') return <ProviderChart {...props} />
  return (
    <Suspense fallback={<LoadingOverlay />}>
      <NativeStage
        key={`${instrument.slug}:${timeframe}`}
        instrument={instrument}
        timeframe={timeframe}
        isPremium={isPremium}
        onStage={onStage}
        toolSlot={toolSlot}
        lockedCard={locked}
      />
    </Suspense>
  )
}

function ProviderChart(props: ChartProps) {
  const { instrument, isPremium } = props
  const { data, error, refetch } = useQuery(chartQuery(instrument.slug, isPremium))
  if (refusalOf(error)?.code === 'premium-required') return <LockedCard onWantPremium={props.onWantPremium} freeChart={props.freeChart} />
  if (data !== undefined) return <WidgetChart {...props} config={data} />
  return error === null ? <LoadingOverlay /> : <FailedCard onRetry={() => void refetch()} />
}

function WidgetChart({ config, timeframe, instrument, onStage }: ChartProps & { readonly config: ChartConfig }) {
  const [attempt, setAttempt] = useState(0)
  const preference = useEnginePreference()
  const preferEngine = usePreferEngine()
  const wanted = useMemo(() => viewOf(config, timeframe), [config, timeframe])
  const view = useSettled(wanted, settleMs, isOtherSymbol)
  const takeStage = useCallback(
    (stage: Stage) => {
      onStage(stage)
      if (preference === 'automatic' && (stage === 'unreachable' || stage === 'no-data')) giveUpWidget(instrument.slug)
    },
    [onStage, preference, instrument.slug],
  )
  const cardOf = useCallback(
    (stage: 'unreachable' | 'no-data') => (
      <ChartCard
        icon={<WarningIcon className="size-5" strokeWidth={1.5} />}
        title={stage === 'unreachable' ? marketText.unreachableTitle : marketText.noDataTitle}
        text={stage === 'unreachable' ? marketText.unreachable : marketText.noData}
      >
        <RetryButton onRetry={() => setAttempt((count) => count + 1)} />
        <Button variant="outline" onClick={() => preferEngine('tezi')}>
          {chartText.useOwn}
        </Button>
        <OpenOnProvider symbol={view.symbol} />
      </ChartCard>
    ),
    [view.symbol, preferEngine],
  )
  return (
    <ChartStage
      key={`${JSON.stringify(view)}#${attempt}`}
      engine={engine}
      view={view}
      settleMs={widgetSettleMs}
      onStage={takeStage}
      cardOf={cardOf}
    />
  )
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

/** A file that could not be fetched is only asked for again by a fresh page. */
function ChunkFailedCard() {
  return (
    <ChartCard icon={<WarningIcon className="size-5" strokeWidth={1.5} />} title={chartText.chunkFailedTitle} text={chartText.chunkFailed}>
      <RetryButton onRetry={() => window.location.reload()} />
    </ChartCard>
  )
}
