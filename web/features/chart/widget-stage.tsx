// The provider's widget with one symbol: the frame, its reports, and fallback cards.
import { useCallback, useMemo, useState } from 'react'
import type { ChartConfig } from '#shared/chart/contract.ts'
import type { ChartChoice, WidgetChart } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { site } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { WarningIcon } from '#web/ui/icon.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import { ChartCard } from './chart-card.tsx'
import { RetryButton } from './chart-cards.tsx'
import { forgetFailures, noteNoData, noteUnanswered } from './chart-failures.ts'
import { ChartStage, type Stage } from './chart-stage.tsx'
import type { ChartView, EngineReport } from './engines/engine.ts'
import { widgetEngine } from './engines/widget.ts'
import { OpenOnProvider } from './provider-link.tsx'
import { reach, useReach } from './reach.ts'
import { useEnginePreference, usePreferEngine } from './use-engine.ts'
import { useOwnDataAhead } from './use-own-data-ahead.ts'
import { useSettled } from './use-debounced-value.ts'

/** Debounce: arrow keys step through the timeframes. */
const settleMs = 250
/** The frame reports loaded before its first paint. */
const widgetSettleMs = 800

const engine = widgetEngine(site.tradingViewMount)

export interface WidgetStageProps {
  readonly instrument: Instrument
  readonly config: ChartConfig
  readonly choice: WidgetChart
  /** What would be shown without the provider. */
  readonly offlineChoice: ChartChoice
  readonly onStage: (stage: Stage) => void
}

export function WidgetStage({ instrument, config, choice, offlineChoice, onStage }: WidgetStageProps) {
  const { slug } = instrument
  const [attempt, setAttempt] = useState(0)
  const preference = useEnginePreference()
  const { symbol, timeframe, proxy } = choice
  const wanted = useMemo(() => viewOf(config, { symbol, timeframe, proxy }), [config, symbol, timeframe, proxy])
  const view = useSettled(wanted, settleMs, isOtherSymbol)
  const isBlocked = useReach().reach === 'unreachable' && preference === 'tradingview'
  const [isLoading, setIsLoading] = useState(true)
  useOwnDataAhead(isLoading && offlineChoice.engine === 'native' ? { slug, timeframe: offlineChoice.timeframe } : undefined)
  const takeStage = useCallback(
    (stage: Stage) => {
      onStage(stage)
      setIsLoading(stage === 'loading')
      if (stage === 'no-data') noteNoData(view.symbol, view.timeframe)
      if (stage === 'unreachable' && preference === 'automatic') noteUnanswered(slug)
    },
    [onStage, preference, slug, view],
  )
  const retry = useCallback(() => {
    forgetFailures()
    reach.retry()
    setAttempt((count) => count + 1)
  }, [])
  const hasOwn = config.native !== 'none'
  const cardOf = useCallback(
    (stage: 'unreachable' | 'no-data') => <WidgetCard stage={stage} symbol={view.symbol} hasOwn={hasOwn} onRetry={retry} />,
    [view.symbol, hasOwn, retry],
  )
  if (isBlocked) return <WidgetCard stage="blocked" symbol={view.symbol} hasOwn={hasOwn} onRetry={retry} />
  return (
    <ChartStage
      key={`${JSON.stringify(view)}#${attempt}`}
      engine={engine}
      view={view}
      settleMs={widgetSettleMs}
      onReport={notifyReach}
      onStage={takeStage}
      cardOf={cardOf}
    />
  )
}

function notifyReach(report: EngineReport): void {
  reach.report(report !== 'failed')
}

const cardTexts = {
  unreachable: [marketText.unreachableTitle, marketText.unreachable],
  blocked: [marketText.unreachableTitle, marketText.blocked],
  'no-data': [marketText.noDataTitle, marketText.noData],
} as const

interface WidgetCardProps {
  readonly stage: keyof typeof cardTexts
  readonly symbol: string
  readonly hasOwn: boolean
  readonly onRetry: () => void
}

function WidgetCard({ stage, symbol, hasOwn, onRetry }: WidgetCardProps) {
  const preferEngine = usePreferEngine()
  const [title, text] = cardTexts[stage]
  return (
    <ChartCard icon={<WarningIcon className="size-5" strokeWidth={1.5} />} title={title} text={text}>
      <RetryButton onRetry={onRetry} />
      {hasOwn && (
        <Button variant="outline" onClick={() => preferEngine('tezi')}>
          {chartText.openOwn}
        </Button>
      )}
      <OpenOnProvider symbol={symbol} />
    </ChartCard>
  )
}

function viewOf({ studies, name }: ChartConfig, chart: Pick<WidgetChart, 'symbol' | 'timeframe' | 'proxy'>): ChartView {
  const { symbol, timeframe, proxy } = chart
  const shown = proxy === null ? name : `${name}, ${chartText.badgeProxy(proxy)}`
  return { symbol, timeframe, zone: browserZone, studies, title: chartText.widgetTitle(shown, timeframeLabel(timeframe)) }
}

function isOtherSymbol(next: ChartView, shown: ChartView): boolean {
  return next.symbol !== shown.symbol || next.title === shown.title
}
