// The legend over the chart: the bar under the crosshair or the last one, and what the studies say about it.
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { chartText } from '#shared/text/en/chart.ts'
import { studyPanelText } from '#shared/text/en/study-panel.ts'
import { classes } from '#web/lib/classes.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { ChevronDownIcon } from '#web/ui/icon.ts'
import type { BarTexts } from './chart-frame.ts'
import type { CandleStyle } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import type { StudyReading } from './studies/study-reading.ts'
import { StudyRow, type StudyActions } from './studies/study-row.tsx'

export interface ChartLegendProps {
  readonly chart: NativeChart
  readonly style: CandleStyle
  readonly actions: StudyActions
  /** Says what the prices are adjusted for; empty where they are as they traded. */
  readonly adjusted: string
}

export function ChartLegend({ chart, style, actions, adjusted }: ChartLegendProps) {
  const { bar, isLast, studies, events, joined, startsOn } = useSyncExternalStore(chart.onFrame, chart.frame)
  if (bar === undefined) return null
  const styleNote = style === 'heikin-ashi' || style === 'renko' ? chartText.styleNotes[style] : ''
  const note = [styleNote, joined > 1 ? chartText.joined(joined) : ''].filter((part) => part !== '').join(' ')
  const startNote = startsOn === undefined ? '' : chartText.startsOn(startsOn)
  return (
    <div
      data-testid="chart-legend"
      className="pointer-events-none absolute inset-0 z-10 overflow-hidden text-11 leading-4 text-text-2 tabular-nums"
    >
      <PriceLegend bar={bar} hasMoment={!isLast} notes={[adjusted, note, startNote].filter((part) => part !== '')} events={events}>
        <PriceStudies studies={studies.filter(({ paneTopPx }) => paneTopPx === 0)} actions={actions} />
      </PriceLegend>
      <PaneLegends studies={studies} actions={actions} />
    </div>
  )
}

const overlayClass = 'absolute max-w-[calc(100%-6rem)]'
const rowsClass = 'grid justify-items-start gap-y-0.5 *:rounded-control *:bg-canvas/70 *:px-1'

/** Right of the drawing tools. */
const asideClass = `${rowsClass} mt-0.5 ml-9`

interface PriceLegendProps {
  readonly bar: BarTexts
  readonly hasMoment: boolean
  readonly notes: readonly string[]
  readonly events: readonly string[]
  readonly children: ReactNode
}

function PriceLegend({ bar, hasMoment, notes, events, children }: PriceLegendProps) {
  return (
    <div className={classes(overlayClass, 'top-1 left-3')}>
      <div className={rowsClass}>
        <BarLine bar={bar} hasMoment={hasMoment} />
      </div>
      <div className={asideClass}>
        {notes.map((note) => (
          <p key={note} className="text-pretty">
            {note}
          </p>
        ))}
        {events.map((event) => (
          <p key={event} className="text-pretty text-accent">
            {event}
          </p>
        ))}
      </div>
      {children}
    </div>
  )
}

interface StudiesProps {
  readonly studies: readonly StudyReading[]
  readonly actions: StudyActions
}

/** On a small screen a long list would stand before the candles: there it opens when it is asked to. */
const rowsOnSmall = 2

function PriceStudies({ studies, actions }: StudiesProps) {
  const isSmall = useMedia('(max-width: 639px)')
  const [wish, setWish] = useState<boolean>()
  const isOpen = wish ?? !(isSmall && studies.length > rowsOnSmall)
  return (
    <div className={asideClass}>
      {isOpen && studies.map((study) => <StudyRow key={study.id} study={study} actions={actions} />)}
      {(studies.length > rowsOnSmall || !isOpen) && studies.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={isOpen ? studyPanelText.collapse : undefined}
          onClick={() => setWish(!isOpen)}
          className="pointer-events-auto flex min-h-6 items-center gap-1 text-text-2 hover:text-text pointer-coarse:min-h-8"
        >
          <ChevronDownIcon aria-hidden className={classes('size-3.5', isOpen && 'rotate-180')} strokeWidth={1.75} />
          {!isOpen && studyPanelText.expand(studies.length)}
        </button>
      )}
    </div>
  )
}

/** A study in a pane of its own is named there. */
function PaneLegends({ studies, actions }: StudiesProps) {
  return studies
    .filter((study) => study.paneTopPx > 0)
    .map((study) => (
      <div key={study.id} style={{ top: study.paneTopPx + 1 }} className={classes(overlayClass, rowsClass, 'left-3 sm:left-12')}>
        <StudyRow study={study} actions={actions} />
      </div>
    ))
}

function BarLine({ bar, hasMoment }: { readonly bar: BarTexts; readonly hasMoment: boolean }) {
  const tone = bar.isUp ? 'text-up' : 'text-down'
  const { legend } = chartText
  const values = [
    [legend.open, bar.open],
    [legend.high, bar.high],
    [legend.low, bar.low],
    [legend.close, bar.close],
  ] as const
  return (
    <p className="flex flex-wrap gap-x-2">
      {hasMoment && <span className="whitespace-pre text-text">{bar.moment}</span>}
      {values.map(([name, text]) => (
        <span key={name} className="whitespace-nowrap">
          {name} <span className={tone}>{text}</span>
        </span>
      ))}
      <span data-testid="legend-change" className={classes('whitespace-nowrap', tone)}>
        {bar.change}
      </span>
      {bar.volume !== undefined && (
        <span className="whitespace-nowrap">
          {legend.volume} <span className="text-text">{bar.volume}</span>
        </span>
      )}
    </p>
  )
}
