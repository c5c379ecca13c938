// The Tezi chart with its tools, legend, table, keyboard access, and fallback cards.
import { useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { feedBadges } from '#shared/chart/market-badge.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { cn } from '#web/lib/cn.ts'
import { Button } from '#web/ui/button.tsx'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { WarningIcon } from '#web/ui/icon.ts'
import { ChartCard } from '../chart-card.tsx'
import { NoSourceCard } from './no-source-card.tsx'
import { useCell } from '../cell-context.ts'
import { ChartStage, type Stage } from '../chart-stage.tsx'
import { useChartFlags } from '../use-chart-flags.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'
import { AxisMenu } from './axis-menu.tsx'
import { axisZone } from './axis-zone.ts'
import { readColours } from './chart-colours.ts'
import type { BarTableProps } from './bar-table.tsx'
import { ChartKeys } from './chart-keys.tsx'
import { ChartLegend } from './chart-legend.tsx'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import { ChartTools, type ChartToolsProps } from './chart-tools.tsx'
import { LatestButton } from './latest-button.tsx'
import type { StudyPicture } from './studies/study-setup.ts'
import { useChartStudies } from './studies/use-chart-studies.ts'
import { StudiesPanelContext, type StudiesPanelControl } from './studies/use-studies-panel.ts'
import { useStudySwitches, type StudySwitches } from './studies/use-study-switches.ts'
import { useAdjuster, type ShownAdjustment } from './use-adjuster.ts'
import { useChartOptions } from './use-chart-options.ts'
import { useMissingMarks } from './use-missing-marks.ts'
import { useNativeChart, type MountedNativeChart } from './use-native-chart.ts'

export interface NativeStageProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  /** False until the server has answered for this instrument: nothing is shown, and the chart is kept. */
  readonly isKnown: boolean
  readonly isAdmin: boolean
  readonly onStage: (stage: Stage) => void
  /** Portal target for the tools. */
  readonly toolSlot: HTMLElement | null
  /** Portal target for the drawing tools. */
  readonly toolRail: HTMLElement | null
  /** Shown when the server denies the chart for lack of premium. */
  readonly lockedCard: ReactNode
}

const ChartDrawings = fetched(async () => (await import('#web/features/drawings/chart-drawings.tsx')).ChartDrawings, null, HiddenPartFailed)
const BarTable = fetched(async () => (await import('./bar-table.tsx')).BarTable)

export function NativeStage(props: NativeStageProps) {
  const { instrument, timeframe, isPremium, toolSlot } = props
  const [attempt, setAttempt] = useState(0)
  const onRetry = useCallback(() => setAttempt((count) => count + 1), [])
  const options = useChartOptions()
  const adjustment = effectiveAdjustment(instrument.series, options.adjustment, Infinity)
  const flags = useChartFlags(isPremium)
  const studies = useChartStudies(flags.flags)
  const switches = useStudySwitches(flags)
  const panel = useContext(StudiesPanelContext)
  const isActive = useCell()?.isActive !== false
  const area = useRef<HTMLDivElement>(null)
  const [isTable, setIsTable] = useState(false)
  const mounted = useNativeChart({ instrument, timeframe, adjustment, attempt, options, studies })
  const { chart, condition, isConnected, ended } = mounted
  const adjustedTo = useAdjuster(instrument.series, adjustment, condition)
  if (ended?.code === 'http.premiumRequired') return props.lockedCard
  const market = condition === undefined ? undefined : { condition, isConnected }
  const hasPrices = condition?.label !== null
  return (
    <div
      ref={area}
      className="group/chart relative flex size-full flex-col bg-canvas lg:flex-row"
      data-testid="native-chart"
      data-mode={condition?.label?.mode}
    >
      {chart !== undefined && hasPrices && (
        <ToolsInSlot
          slot={toolSlot}
          chart={chart}
          options={options}
          isTable={isTable}
          onTable={() => setIsTable(!isTable)}
          area={area}
          picture={{ instrument, timeframe, market, adjusted: adjustedTo.adjusted, zone: mounted.view.zone }}
          studies={isPremium ? { isOpen: isActive && panel.shown?.view === 'list', toggle: panel.toggle } : undefined}
        />
      )}
      <div className="relative min-h-0 min-w-0 flex-1">
        <Plot {...props} onRetry={onRetry} mounted={mounted} />
        {chart !== undefined && (
          <div className={cn('contents', !hasPrices && 'invisible')}>
            <OnChart
              {...props}
              chart={chart}
              options={options}
              studies={studies}
              adjustedTo={adjustedTo}
              legend={{ panel, switches }}
              table={isTable ? { label: condition?.label ?? undefined, onClose: () => setIsTable(false) } : undefined}
            />
          </div>
        )}
        <NoPrices {...props} condition={condition} onRetry={onRetry} />
        {ended !== undefined && <TroubleCard title={chartText.endedTitle} text={ended.message} onRetry={onRetry} />}
      </div>
      {isPremium && isActive && hasPrices && <Panel {...props} panel={panel} switches={switches} />}
    </div>
  )
}

function ToolsInSlot({ slot, ...tools }: ChartToolsProps & { readonly slot: HTMLElement | null }) {
  return slot === null ? null : createPortal(<ChartTools {...tools} />, slot)
}

interface NoPricesProps extends Pick<NativeStageProps, 'instrument' | 'isAdmin'> {
  readonly condition: MountedNativeChart['condition']
  readonly onRetry: () => void
}

function NoPrices({ instrument, condition, ...rest }: NoPricesProps) {
  if (condition?.label !== null) return null
  return <NoSourceCard condition={condition} symbol={instrument.symbol} isAdmin={rest.isAdmin} onRetry={rest.onRetry} />
}

interface PlotProps extends NativeStageProps {
  readonly mounted: MountedNativeChart
  readonly onRetry: () => void
}

/** The chart itself, named for screen readers. */
function Plot({ instrument, timeframe, isPremium, isKnown, onStage, onRetry, mounted }: PlotProps) {
  const { engine, view, chart, condition, isConnected } = mounted
  useMissingMarks(chart, { slug: instrument.slug, timeframe, isPremium, source: condition?.label?.source })
  const moment = useMarketMoment()
  const cardOf = useCallback(() => <TroubleCard title={chartText.slowTitle} text={chartText.slow} onRetry={onRetry} />, [onRetry])
  const badges = condition === undefined ? [] : feedBadges({ condition, isConnected }, moment).map(({ text }) => text)
  return (
    // Hidden from sight and screen readers while a card is shown.
    <div className={cn('absolute inset-0', condition?.label === null && 'invisible')}>
      <ChartKeys chart={chart} name={chartText.title(instrument.name, timeframeLabel(timeframe), badges)}>
        <ChartStage engine={engine} view={isKnown ? view : undefined} settleMs={0} onStage={onStage} cardOf={cardOf} />
      </ChartKeys>
    </div>
  )
}

interface OnChartProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly toolRail: HTMLElement | null
  readonly chart: NativeChart
  readonly options: ChartOptions
  readonly studies: StudyPicture | undefined
  readonly adjustedTo: ShownAdjustment
  readonly legend: { readonly panel: StudiesPanelControl; readonly switches: StudySwitches }
  /** Undefined while it is closed. */
  readonly table: Pick<BarTableProps, 'label' | 'onClose'> | undefined
}

/** Drawings, legend and table, above the chart. */
function OnChart({ instrument, timeframe, chart, adjustedTo, table, ...props }: OnChartProps) {
  const {
    toolRail,
    options,
    studies,
    legend: { panel, switches },
  } = props
  return (
    <>
      {adjustedTo.isKnown && (
        <ChartDrawings surface={chart.surface} instrument={instrument} adjuster={adjustedTo.adjuster} ink={readColours} rail={toolRail} />
      )}
      <LatestButton chart={chart} />
      <AxisMenu chart={chart} scale={options.scale} zone={axisZone(instrument)} />
      <ChartLegend
        chart={chart}
        style={options.style}
        kit={studies?.kit}
        adjusted={adjustedTo.adjusted}
        actions={{ settings: panel.open, hide: switches.hide, remove: (id) => switches.turn(id, false) }}
      />
      {table !== undefined && (
        <BarTable chart={chart} instrument={instrument} timeframe={timeframe} adjusted={adjustedTo.adjusted} {...table} />
      )}
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
      takeFocus={panel.shown.takeFocus}
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
