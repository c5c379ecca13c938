// Legend over the chart: the bar under the crosshair or the last one, and its study values.
import { useSyncExternalStore, type ReactNode } from 'react'
import { chartText } from '#shared/text/en/chart.ts'
import { cn } from '#web/lib/cn.ts'
import { asideClass, overlayClass, rowsClass } from './legend-classes.ts'
import type { BarTexts } from './legend-snapshot.ts'
import type { CandleStyle } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import type { StudyKit } from './studies/lazy-entry.ts'
import type { StudyActions } from './studies/study-row.tsx'

export interface ChartLegendProps {
  readonly chart: NativeChart
  readonly style: CandleStyle
  readonly actions: StudyActions
  /** Undefined while no study code is loaded, and so none is shown. */
  readonly kit: StudyKit | undefined
  /** Describes the adjustment; empty for unadjusted prices. */
  readonly adjusted: string
}

export function ChartLegend({ chart, style, actions, kit, adjusted }: ChartLegendProps) {
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
        {kit !== undefined && <kit.PriceStudies studies={studies.filter(({ paneTopPx }) => paneTopPx === 0)} actions={actions} />}
      </PriceLegend>
      {kit !== undefined && <kit.PaneLegends studies={studies} actions={actions} />}
    </div>
  )
}

interface PriceLegendProps {
  readonly bar: BarTexts
  readonly hasMoment: boolean
  readonly notes: readonly string[]
  readonly events: readonly string[]
  readonly children: ReactNode
}

function PriceLegend({ bar, hasMoment, notes, events, children }: PriceLegendProps) {
  return (
    <div className={cn(overlayClass, 'top-1 left-3')}>
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
      <span data-testid="legend-change" className={cn('whitespace-nowrap', tone)}>
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
