// Toolbar above a chart: instrument, data freshness, badges, chart engine and tools.
import type { ReactNode, Ref } from 'react'
import { enginePreferences } from '#shared/chart/engine-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { cn } from '#web/lib/cn.ts'
import { BarSelect } from './bar-select.tsx'
import { useCell } from './cell-context.ts'
import { forgetFailures, useChartFailures } from './chart-failures.ts'
import { useReach } from './reach.ts'
import { useEnginePreference, usePreferEngine } from './use-engine.ts'

export interface ChartBarProps {
  readonly instrument: Instrument
  /** Shown in the title when the layout has several charts. */
  readonly timeframe: Timeframe
  readonly badge: ReactNode
  /** Why some timeframes are unavailable. */
  readonly limitText: string | undefined
  readonly attribution: ReactNode
  /** Portal target for the chart's own tools. */
  readonly toolSlot: Ref<HTMLDivElement>
  readonly hasEngineChoice: boolean
  /** On small screens the tools get their own row and the attribution stays in the first one. */
  readonly hasOwnTools: boolean
}

export function ChartBar(props: ChartBarProps) {
  const { instrument, timeframe, badge, limitText, attribution, toolSlot, hasEngineChoice, hasOwnTools } = props
  const cell = useCell()
  // A single chart is the main content of the page.
  const Heading = cell === undefined || cell.isActive ? 'h1' : 'h2'
  return (
    <div className="border-b border-line px-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 max-sm:py-1">
        <Heading className="flex min-w-0 items-baseline gap-x-2">
          <span className="text-14 font-semibold whitespace-nowrap">{instrument.label}</span>
          <span className="truncate text-12 font-normal text-text-2 max-sm:max-w-28 max-sm:in-data-many:hidden">{instrument.name}</span>
          {cell?.hasOthers === true && (
            <span data-testid="cell-timeframe" className="text-12 font-medium text-text-2">
              {timeframeLabel(timeframe)}
            </span>
          )}
        </Heading>
        <div className="flex min-w-0 items-center max-sm:ml-auto">{badge}</div>
        <div
          className={cn(
            'flex items-center gap-x-1 in-data-idle:hidden max-sm:order-last max-sm:-ml-2 sm:ml-auto',
            hasOwnTools && 'max-sm:w-full',
          )}
        >
          {hasEngineChoice && <EngineSelect />}
          <div ref={toolSlot} className="flex items-center gap-x-1 max-sm:flex-1" />
        </div>
        <div className={cn('flex items-center text-11 in-data-idle:ml-auto', !hasOwnTools && 'max-sm:order-last max-sm:ml-auto')}>
          {attribution}
        </div>
      </div>
      <Notes instrument={instrument} limitText={limitText} isOwnChart={hasEngineChoice && hasOwnTools} />
    </div>
  )
}

/** `aria-describedby` target of the timeframe selector. */
export const chartNoteId = 'chart-note'

type NotesProps = Pick<ChartBarProps, 'instrument' | 'limitText'> & { readonly isOwnChart: boolean }

function Notes({ instrument, limitText, isOwnChart }: NotesProps) {
  const cell = useCell()
  const preference = useEnginePreference()
  const { reach } = useReach()
  // When the provider is unreachable, the page shows one notice for all charts instead.
  const hasGivenUp = useChartFailures().unanswered.has(instrument.slug) && preference === 'automatic' && reach === 'reachable'
  const isNotCarried = isOwnChart && preference === 'tradingview'
  const notes = [
    instrument.note,
    limitText,
    hasGivenUp && isOwnChart ? chartText.gaveUpNote : undefined,
    isNotCarried ? chartText.notCarriedNote : undefined,
  ].filter((note) => note !== null && note !== undefined)
  if (notes.length === 0) return null
  return (
    <p id={cell === undefined || cell.isActive ? chartNoteId : undefined} className="pb-1.5 text-12 text-pretty text-text-2">
      {notes.join(' ')}
      {hasGivenUp && isOwnChart && (
        <button
          type="button"
          onClick={forgetFailures}
          className="ml-2 rounded-control text-accent underline underline-offset-2 pointer-coarse:min-h-11"
        >
          {chartText.tryProvider}
        </button>
      )}
    </p>
  )
}

function EngineSelect() {
  return (
    <BarSelect
      label={chartText.engine}
      title={chartText.engineNote}
      value={useEnginePreference()}
      options={enginePreferences.map((value) => ({ value, label: chartText.engines[value] }))}
      onChoose={usePreferEngine()}
    />
  )
}
