// The Tezi chart with its tools, legend, table, keyboard access, and fallback cards.
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { effectiveAdjustment } from '#shared/candles/adjustment.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { feedBadges } from '#shared/chart/market-badges.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { marketText } from '#shared/text/en/market.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { fetched } from '#web/ui/fetched.tsx'
import { WarningIcon } from '#web/ui/icon.ts'
import { ChartCard } from '../chart-card.tsx'
import { NoSourceCard } from './no-source-card.tsx'
import { ChartStage, type Stage } from '../chart-stage.tsx'
import { useChartFlags } from '../use-chart-flags.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'
import { readColours } from './chart-colours.ts'
import { ChartKeys } from './chart-keys.tsx'
import { ChartLegend } from './chart-legend.tsx'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import { ChartTools } from './chart-tools.tsx'
import type { Place, VisibleTime } from './kept-place.ts'
import type { StudyPicture } from './studies/study-setup.ts'
import { useChartStudies } from './studies/use-chart-studies.ts'
import { useStudiesPanel, type StudiesPanelControl } from './studies/use-studies-panel.ts'
import { useStudySwitches, type StudySwitches } from './studies/use-study-switches.ts'
import { useAdjuster, type ShownAdjustment } from './use-adjuster.ts'
import { useChartOptions } from './use-chart-options.ts'
import { useNativeChart, type MountedNativeChart } from './use-native-chart.ts'

export interface NativeStageProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly onStage: (stage: Stage) => void
  /** Portal target for the tools. */
  readonly toolSlot: HTMLElement | null
  /** Shown when the server denies the chart for lack of premium. */
  readonly lockedCard: ReactNode
}

const ChartDrawings = fetched(async () => (await import('#web/features/drawings/chart-drawings.tsx')).ChartDrawings)
const BarTable = fetched(async () => (await import('./bar-table.tsx')).BarTable)

/** Fixed instrument and timeframe for the life of the component: to show another, change the key. */
export function NativeStage(props: NativeStageProps) {
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  const options = useChartOptions()
  const adjustment = effectiveAdjustment(props.instrument.series, options.adjustment, Infinity)
  const place = useRef<VisibleTime>(undefined)
  return <MountedChart key={`${attempt} ${adjustment}`} {...props} adjustment={adjustment} place={place} onRetry={retry} />
}

interface MountedChartProps extends NativeStageProps {
  readonly adjustment: Adjustment
  readonly place: Place
  readonly onRetry: () => void
}

function MountedChart(props: MountedChartProps) {
  const { instrument, timeframe, isPremium, adjustment, place, toolSlot, onRetry } = props
  const options = useChartOptions()
  const flags = useChartFlags(isPremium)
  const studies = useChartStudies(flags.flags)
  const switches = useStudySwitches(flags)
  const panel = useStudiesPanel()
  const area = useRef<HTMLDivElement>(null)
  const [isTable, setIsTable] = useState(false)
  const mounted = useNativeChart({ instrument, timeframe, adjustment, place, options, studies })
  const { chart, condition, isConnected, ended } = mounted
  const adjustedTo = useAdjuster(instrument.series, adjustment, condition)
  if (ended?.code === 'http.premiumRequired') return props.lockedCard
  const market = condition === undefined ? undefined : { condition, isConnected }
  return (
    <div
      ref={area}
      className="group/chart relative flex size-full flex-col bg-canvas lg:flex-row"
      data-testid="native-chart"
      data-mode={condition?.label?.mode}
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
            picture={{ instrument, timeframe, market, adjusted: adjustedTo.adjusted, zone: mounted.view.zone }}
            studies={isPremium ? { isOpen: panel.shown?.view === 'list', toggle: panel.toggle } : undefined}
          />,
          toolSlot,
        )}
      <div className="relative min-h-0 min-w-0 flex-1">
        <Plot {...props} mounted={mounted} />
        {chart !== undefined && (
          <OnChart {...props} chart={chart} options={options} studies={studies} adjustedTo={adjustedTo} legend={{ panel, switches }} />
        )}
        {chart !== undefined && isTable && (
          <BarTable
            chart={chart}
            instrument={instrument}
            timeframe={timeframe}
            label={condition?.label ?? undefined}
            adjusted={adjustedTo.adjusted}
            onClose={() => setIsTable(false)}
          />
        )}
        {condition?.label === null && <NoSourceCard condition={condition} symbol={instrument.symbol} />}
        {ended !== undefined && <TroubleCard title={chartText.endedTitle} text={ended.message} onRetry={onRetry} />}
      </div>
      {isPremium && <Panel {...props} panel={panel} switches={switches} />}
    </div>
  )
}

/** The chart itself, named for screen readers. */
function Plot({ instrument, timeframe, onStage, onRetry, mounted }: MountedChartProps & { readonly mounted: MountedNativeChart }) {
  const { engine, view, chart, condition, isConnected } = mounted
  const moment = useMarketMoment()
  const cardOf = useCallback(() => <TroubleCard title={chartText.slowTitle} text={chartText.slow} onRetry={onRetry} />, [onRetry])
  const badges = condition === undefined ? [] : feedBadges({ condition, isConnected }, moment).map(({ text }) => text)
  return (
    // Hidden from sight and screen readers while a card is shown.
    <div className={cn('absolute inset-0', condition?.label === null && 'invisible')}>
      <ChartKeys chart={chart} name={chartText.title(instrument.name, timeframeLabel(timeframe), badges)}>
        <ChartStage engine={engine} view={view} settleMs={0} onStage={onStage} cardOf={cardOf} />
      </ChartKeys>
    </div>
  )
}

interface OnChartProps {
  readonly instrument: Instrument
  readonly chart: NativeChart
  readonly options: ChartOptions
  readonly studies: StudyPicture | undefined
  readonly adjustedTo: ShownAdjustment
  readonly legend: { readonly panel: StudiesPanelControl; readonly switches: StudySwitches }
}

/** Drawings and legend, above the chart. */
function OnChart({ instrument, chart, options, studies, adjustedTo, legend: { panel, switches } }: OnChartProps) {
  return (
    <>
      {adjustedTo.isKnown && (
        <ChartDrawings surface={chart.surface} instrument={instrument} adjuster={adjustedTo.adjuster} ink={readColours} />
      )}
      <ChartLegend
        chart={chart}
        style={options.style}
        kit={studies?.kit}
        adjusted={adjustedTo.adjusted}
        actions={{ settings: panel.open, hide: switches.hide, remove: (id) => switches.turn(id, false) }}
      />
    </>
  )
}

interface PanelProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly panel: StudiesPanelControl
  readonly switches: StudySwitches
}

function Panel({ instrument, timeframe, panel, switches }: PanelProps) {
  if (panel.shown === undefined) return null
  return (
    <panel.shown.Panel
      key={panel.shown.view}
      chart={{ timeframe, sessionClass: instrument.sessionClass }}
      switches={switches}
      view={panel.shown.view}
      onView={panel.open}
      onClose={panel.close}
    />
  )
}

function TroubleCard({ title, text, onRetry }: { readonly title: string; readonly text: string; readonly onRetry: () => void }) {
  return (
    <ChartCard icon={<WarningIcon className="size-5" strokeWidth={1.5} />} title={title} text={text}>
      <Button onClick={onRetry}>{marketText.retry}</Button>
    </ChartCard>
  )
}
