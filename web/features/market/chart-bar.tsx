// The line above a chart: what it shows, how fresh that is, what must be known about it, who draws it, and with which tools.
import type { ReactNode, Ref } from 'react'
import { enginePreferences } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { timeframeLabel, type Timeframe } from '#shared/market/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { classes } from '#web/lib/classes.ts'
import { BarSelect } from './bar-select.tsx'
import { useCell } from './cell-context.ts'
import { forgetFailures, useChartFailures } from './chart-failures.ts'
import { useReach } from './reach.ts'
import { useEnginePreference, usePreferEngine } from './use-engine.ts'

export interface ChartBarProps {
  readonly instrument: Instrument
  /** Named where several charts stand beside each other. */
  readonly timeframe: Timeframe
  readonly badge: ReactNode
  /** Why not every timeframe can be chosen. */
  readonly limitText: string | undefined
  readonly attribution: ReactNode
  /** Where the chart puts its own tools. */
  readonly toolSlot: Ref<HTMLDivElement>
  readonly hasEngineChoice: boolean
  /** Where they take a row of their own on a small screen, the attribution stays in the first one. */
  readonly hasOwnTools: boolean
}

export function ChartBar(props: ChartBarProps) {
  const { instrument, timeframe, badge, limitText, attribution, toolSlot, hasEngineChoice, hasOwnTools } = props
  const cell = useCell()
  // One chart is what the page is about.
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
          className={classes(
            'flex items-center gap-x-1 in-data-idle:hidden max-sm:order-last max-sm:-ml-2 sm:ml-auto',
            hasOwnTools && 'max-sm:w-full',
          )}
        >
          {hasEngineChoice && <EngineSelect />}
          <div ref={toolSlot} className="flex items-center gap-x-1 max-sm:flex-1" />
        </div>
        <div className={classes('flex items-center text-11 in-data-idle:ml-auto', !hasOwnTools && 'max-sm:order-last max-sm:ml-auto')}>
          {attribution}
        </div>
      </div>
      <Notes instrument={instrument} limitText={limitText} isOwnChart={hasEngineChoice && hasOwnTools} />
    </div>
  )
}

/** The timeframe selector points here for its description. */
export const chartNoteId = 'chart-note'

type NotesProps = Pick<ChartBarProps, 'instrument' | 'limitText'> & { readonly isOwnChart: boolean }

function Notes({ instrument, limitText, isOwnChart }: NotesProps) {
  const cell = useCell()
  const preference = useEnginePreference()
  const { reach } = useReach()
  // The page says it once for all its charts where the provider cannot be reached at all.
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
