// Our own chart with all that belongs to it: tools, legend, table, keyboard, and cards where there is nothing to draw.
import { indianZone } from '#shared/base/india-time.ts'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { effectiveAdjustment } from '#shared/market/adjustment.ts'
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { feedBadges } from '#shared/market/market-badges.ts'
import { timeframeLabel, type Timeframe } from '#shared/market/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { marketText } from '#shared/text/en/market.ts'
import { classes } from '#web/lib/classes.ts'
import { pageClock } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { fetched } from '#web/ui/fetched.tsx'
import { ChartLineIcon, WarningIcon } from '#web/ui/icon.ts'
import { browserZone } from '../browser-zone.ts'
import { useCell } from '../cell-context.ts'
import { ChartCard } from '../chart-card.tsx'
import { ChartStage, type Stage } from '../chart-stage.tsx'
import { nativeEngine, type NativeView } from '../engines/native.ts'
import { showMarket } from '../shown-market.ts'
import { useChartFlags } from '../use-chart-flags.ts'
import { useMarketMoment } from '../use-market-moment.ts'
import { adjustedSource } from './candle-source.ts'
import { readColours } from './chart-colours.ts'
import { ChartKeys } from './chart-keys.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTools } from './chart-tools.tsx'
import { linkCrosshair } from './linked-crosshairs.ts'
import { liveLine } from './live-line.ts'
import type { NativeChart } from './chart-port.ts'
import { isIndianMarket } from './price-text.ts'
import { useChartStudies } from './studies/use-chart-studies.ts'
import { useStudiesPanel } from './studies/use-studies-panel.ts'
import { useStudySwitches } from './studies/use-study-switches.ts'
import { useAdjuster } from './use-adjuster.ts'
import { useChartOptions } from './use-chart-options.ts'

export interface NativeStageProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly onStage: (stage: Stage) => void
  /** Where the tools go. */
  readonly toolSlot: HTMLElement | null
  /** In place of a chart that the server refuses for want of premium. */
  readonly lockedCard: ReactNode
}

const ChartDrawings = fetched(async () => (await import('../drawings/chart-drawings.tsx')).ChartDrawings)
const BarTable = fetched(async () => (await import('./bar-table.tsx')).BarTable)

interface Ended {
  readonly code: string
  readonly message: string
}

/** One instrument and timeframe for the life of the component: to show another, give it another key. */
export function NativeStage(props: NativeStageProps) {
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  const options = useChartOptions()
  const adjustment = effectiveAdjustment(props.instrument.series, options.adjustment, Infinity)
  return <MountedChart key={`${attempt} ${adjustment}`} {...props} adjustment={adjustment} onRetry={retry} />
}

interface MountedChartProps extends NativeStageProps {
  readonly adjustment: Adjustment
  readonly onRetry: () => void
}

function MountedChart(props: MountedChartProps) {
  const { instrument, timeframe, isPremium, adjustment, onStage, toolSlot, onRetry } = props
  const options = useChartOptions()
  const flags = useChartFlags(isPremium)
  const studies = useChartStudies(flags.flags)
  const switches = useStudySwitches(flags)
  const panel = useStudiesPanel()
  const area = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<NativeChart>()
  const [ended, setEnded] = useState<Ended>()
  const [isTable, setIsTable] = useState(false)
  const condition = useMarketOnScreen(instrument.slug)
  const { adjuster, adjusted, isKnown } = useAdjuster(instrument.series, adjustment, condition.current)
  const moment = useMarketMoment()
  const engine = useMemo(() => nativeEngine(setChart), [])
  const [view] = useState<NativeView>(() => ({
    instrument,
    timeframe,
    zone: isIndianMarket(instrument.sessionClass) ? indianZone : browserZone,
    source: adjustedSource(liveLine, adjustment),
    clock: pageClock,
    options,
    studies,
    events: { ...condition.events, ended: (code, message) => setEnded({ code, message }) },
  }))
  useEffect(() => chart?.setOptions(options), [chart, options])
  useEffect(() => chart?.setStudies(studies), [chart, studies])
  const isLinked = useCell()?.isCrosshairLinked === true
  useEffect(() => (chart !== undefined && isLinked ? linkCrosshair(chart.crosshair) : undefined), [chart, isLinked])
  const cardOf = useCallback(() => <TroubleCard title={chartText.slowTitle} text={chartText.slow} onRetry={onRetry} />, [onRetry])
  if (ended?.code === 'premium-required') return props.lockedCard
  const label = condition.current?.label
  const market = condition.current === undefined ? undefined : { condition: condition.current, isConnected: condition.isConnected }
  const badges = market === undefined ? [] : feedBadges(market, moment).map(({ text }) => text)
  return (
    <div
      ref={area}
      className="group/chart relative flex size-full flex-col bg-canvas lg:flex-row"
      data-testid="native-chart"
      data-mode={label?.mode}
    >
      {chart !== undefined &&
        toolSlot !== null &&
        createPortal(
          <ChartTools
            chart={chart}
            options={options}
            isTable={isTable}
            onTable={() => setIsTable(!isTable)}
            area={area}
            picture={{ instrument, timeframe, market, adjusted, zone: view.zone }}
            studies={isPremium ? { isOpen: panel.shown?.view === 'list', toggle: panel.toggle } : undefined}
          />,
          toolSlot,
        )}
      <div className="relative min-h-0 min-w-0 flex-1">
        {/* Out of sight and hearing while a card says that there is nothing to draw. */}
        <div className={classes('absolute inset-0', label === null && 'invisible')}>
          <ChartKeys chart={chart} name={chartText.title(instrument.name, timeframeLabel(timeframe), badges)}>
            <ChartStage engine={engine} view={view} settleMs={0} onStage={onStage} cardOf={cardOf} />
          </ChartKeys>
        </div>
        {chart !== undefined && isKnown && (
          <ChartDrawings surface={chart.surface} instrument={instrument} adjuster={adjuster} ink={readColours} />
        )}
        {chart !== undefined && (
          <ChartLegend
            chart={chart}
            style={options.style}
            adjusted={adjusted}
            actions={{ settings: panel.open, hide: switches.hide, remove: (id) => switches.turn(id, false) }}
          />
        )}
        {chart !== undefined && isTable && (
          <BarTable
            chart={chart}
            instrument={instrument}
            timeframe={timeframe}
            label={label ?? undefined}
            adjusted={adjusted}
            onClose={() => setIsTable(false)}
          />
        )}
        {label === null && <NoSourceCard condition={condition.current} />}
        {ended !== undefined && <TroubleCard title={chartText.endedTitle} text={ended.message} onRetry={onRetry} />}
      </div>
      {isPremium && panel.shown !== undefined && (
        <panel.shown.Panel
          key={panel.shown.view}
          chart={{ timeframe, sessionClass: instrument.sessionClass }}
          switches={switches}
          view={panel.shown.view}
          onView={panel.open}
          onClose={panel.close}
        />
      )}
    </div>
  )
}

interface MarketOnScreen {
  readonly current: LiveCondition | undefined
  readonly isConnected: boolean
  readonly events: Pick<NativeView['events'], 'condition' | 'connected'>
}

/** Keeps what is known of the market, here and for the header and the bar. */
function useMarketOnScreen(slug: string): MarketOnScreen {
  const [current, setCurrent] = useState<LiveCondition>()
  const [isConnected, setIsConnected] = useState(true)
  useEffect(() => {
    if (current === undefined) return undefined
    return showMarket({ slug, condition: current, isConnected, clockOffsetMs: () => liveLine.clockOffsetMs() })
  }, [slug, current, isConnected])
  const [events] = useState(() => ({ condition: setCurrent, connected: setIsConnected }))
  return { current, isConnected, events }
}

function NoSourceCard({ condition }: { readonly condition: LiveCondition | undefined }) {
  return (
    <ChartCard
      icon={<ChartLineIcon className="size-5" strokeWidth={1.5} />}
      title={chartText.noSourceTitle}
      text={condition?.reason ?? chartText.noSource}
    >
      {null}
    </ChartCard>
  )
}

function TroubleCard({ title, text, onRetry }: { readonly title: string; readonly text: string; readonly onRetry: () => void }) {
  return (
    <ChartCard icon={<WarningIcon className="size-5" strokeWidth={1.5} />} title={title} text={text}>
      <Button onClick={onRetry}>{marketText.retry}</Button>
    </ChartCard>
  )
}
