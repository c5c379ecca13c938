// Toolbar above a chart: instrument, data freshness, badges, chart engine and tools.
import type { ReactNode, Ref } from 'react'
import { createPortal } from 'react-dom'
import { enginePreferences } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import { ScrollRow } from '#web/ui/scroll-row.tsx'
import { BarSelect } from './bar-select.tsx'
import { useCell } from './cell-context.ts'
import { forgetFailures, useChartFailures } from './chart-failures.ts'
import { useReach } from './reach.ts'
import { useToolSlot } from './tool-slot.ts'
import { useEnginePreference, usePreferEngine } from './use-engine.ts'

export interface ChartBarProps {
  readonly instrument: Instrument
  /** Shown in the title when the layout has several charts. */
  readonly timeframe: Timeframe
  readonly badge: ReactNode
  readonly attribution: ReactNode
  /** Portal target for the chart's own tools; unused on phones. */
  readonly toolSlot: Ref<HTMLDivElement>
  readonly hasEngineChoice: boolean
  /** Below the title, except on phones. */
  readonly notes: ReactNode
}

/** On phones one row without tools; one row beside other charts too, so that the charts of a grid line up, and its tools scroll. */
export function ChartBar(props: ChartBarProps) {
  const { instrument, timeframe, badge, attribution, toolSlot, hasEngineChoice, notes } = props
  const cell = useCell()
  const phoneSlot = useToolSlot()
  // A single chart is the main content of the page.
  const Heading = cell === undefined || cell.isActive ? 'h1' : 'h2'
  return (
    <div className="border-b border-line px-3">
      <div
        className={cn(
          'flex items-center gap-x-3',
          phoneSlot === undefined ? 'min-h-9 flex-wrap gap-y-0.5 in-data-many:flex-nowrap' : 'h-7.5',
        )}
      >
        <Heading className="flex min-w-0 items-baseline gap-x-2 sm:in-data-many:min-w-34 sm:in-data-many:shrink-99">
          <span className="text-14 font-semibold whitespace-nowrap">{instrument.label}</span>
          <span title={instrument.name} className="truncate text-12 font-normal text-text-2 max-sm:in-data-many:hidden">
            {instrument.name}
          </span>
          {cell?.hasOthers === true && (
            <span data-testid="cell-timeframe" className="text-12 font-medium text-text-2">
              {timeframeLabel(timeframe)}
            </span>
          )}
        </Heading>
        <div className="flex min-w-0 items-center max-sm:ml-auto max-sm:max-w-[45%] max-sm:shrink-0 sm:in-data-many:shrink-0">{badge}</div>
        {phoneSlot === undefined ? (
          <div className="ml-auto h-9 min-w-0 in-data-idle:hidden in-data-many:shrink-9 pointer-coarse:h-11">
            <ScrollRow>
              <div className="flex shrink-0 items-center gap-x-1 px-1">
                {hasEngineChoice && <EngineSelect />}
                <div ref={toolSlot} className="flex items-center gap-x-1" />
              </div>
            </ScrollRow>
          </div>
        ) : (
          phoneSlot !== null && hasEngineChoice && createPortal(<EngineSelect />, phoneSlot)
        )}
        <div className="flex shrink-0 items-center text-11 in-data-idle:ml-auto">{attribution}</div>
      </div>
      {phoneSlot === undefined && notes}
    </div>
  )
}

/** `aria-describedby` target of the timeframe selector. */
export const chartNoteId = 'chart-note'

export interface ChartNotesProps {
  readonly instrument: Instrument
  /** Why some timeframes are unavailable. */
  readonly limitText: string | undefined
  readonly isOwnChart: boolean
}

export function ChartNotes({ instrument, limitText, isOwnChart }: ChartNotesProps) {
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
      <span>{notes.join(' ')}</span>
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
