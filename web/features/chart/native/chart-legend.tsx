// Legend over the chart: the bar under the crosshair or the last one, and its study values.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { chartText } from '#shared/chart/text/en.ts'
import { studyPanelText } from '#shared/indicators/text/en-panel.ts'
import { cn } from '#web/lib/cn.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { ChevronDownIcon } from '#web/ui/icon.ts'
import { overlayClass, rowsClass } from './legend-classes.ts'
import { legendRoom } from './legend-room.ts'
import type { BarTexts } from './legend-snapshot.ts'
import type { CandleStyle } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import type { StudyKit } from './studies/lazy-entry.ts'
import type { StudyActions } from './studies/study-row.tsx'

export interface ChartLegendProps {
  readonly chart: Pick<NativeChart, 'frame' | 'onFrame'>
  readonly style: CandleStyle
  readonly actions: StudyActions
  /** Undefined while no study code is loaded, and so none is shown. */
  readonly kit: StudyKit | undefined
  /** Describes the adjustment; empty for unadjusted prices. */
  readonly adjusted: string
}

/** More studies than this can be collapsed, also where they fit. */
const fewStudies = 2

export function ChartLegend({ chart, style, actions, kit, adjusted }: ChartLegendProps) {
  const { bar, isLast, studies, events, joined, startsOn } = useSyncExternalStore(chart.onFrame, chart.frame)
  const area = useRef<HTMLDivElement>(null)
  const heightPx = useHeight(area, bar !== undefined)
  const isSmallScreen = useMedia('(max-width: 639px)')
  const [request, setRequest] = useState<boolean>()
  if (bar === undefined) return null
  const styleNote = style === 'heikin-ashi' || style === 'renko' ? chartText.styleNotes[style] : ''
  const note = [styleNote, joined > 1 ? chartText.joined(joined) : ''].filter((part) => part !== '').join(' ')
  const startNote = startsOn === undefined ? '' : chartText.startsOn(startsOn)
  const notes = [adjusted, note, startNote].filter((part) => part !== '')
  const onPrice = studies.filter(({ paneTopPx }) => paneTopPx === 0)
  const paneTops = studies.map(({ paneTopPx }) => paneTopPx).filter((top) => top > 0)
  const { pricePx, isCompact } = legendRoom({ isSmallScreen, heightPx, paneTops, rows: onPrice.length })
  const isOpen = request ?? !isCompact
  return (
    <div
      ref={area}
      data-testid="chart-legend"
      className="pointer-events-none absolute inset-0 z-10 overflow-hidden text-11 leading-4 text-text-2 tabular-nums"
    >
      <div className={cn(overlayClass, 'top-1')} style={pricePx > 0 ? { maxHeight: pricePx - 4 } : undefined}>
        <div className={cn('flex items-start gap-1', isOpen && 'flex-wrap')}>
          <BarLine bar={bar} hasMoment={!isLast} isLine={!isOpen} />
          {(isCompact || onPrice.length > fewStudies) && (
            <Toggle isOpen={isOpen} hidden={isOpen ? 0 : onPrice.length} onToggle={() => setRequest(!isOpen)} />
          )}
        </div>
        {isOpen && <Notes notes={notes} events={events} />}
        {isOpen && kit !== undefined && <kit.PriceStudies studies={onPrice} actions={actions} />}
      </div>
      {kit !== undefined && <kit.PaneLegends studies={studies} actions={actions} panes={{ heightPx, paneTops }} />}
    </div>
  )
}

function useHeight(area: React.RefObject<HTMLElement | null>, isShown: boolean): number {
  const [heightPx, setHeightPx] = useState(0)
  useEffect(() => {
    const element = area.current
    if (element === null || !isShown) return undefined
    const sizes = new ResizeObserver(() => setHeightPx(element.clientHeight))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [area, isShown])
  return heightPx
}

interface ToggleProps {
  readonly isOpen: boolean
  /** Number of studies that it would show. */
  readonly hidden: number
  readonly onToggle: () => void
}

function Toggle({ isOpen, hidden, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={isOpen ? chartText.legendClose : hidden === 0 ? chartText.legendOpen : undefined}
      onClick={onToggle}
      className="pointer-events-auto -my-1 flex min-h-6 shrink-0 items-center gap-1 whitespace-nowrap text-text-2 text-shadow-ground hover:text-text pointer-coarse:-my-2 pointer-coarse:min-h-8"
    >
      <ChevronDownIcon aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} strokeWidth={1.75} />
      {hidden > 0 && <span>{studyPanelText.expand(hidden)}</span>}
    </button>
  )
}

function Notes({ notes, events }: { readonly notes: readonly string[]; readonly events: readonly string[] }) {
  return (
    <div className={rowsClass}>
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
  )
}

interface BarLineProps {
  readonly bar: BarTexts
  readonly hasMoment: boolean
  /** On one line, the close first: what does not fit is left out, never cut off within a number. */
  readonly isLine: boolean
}

function BarLine({ bar, hasMoment, isLine }: BarLineProps) {
  const tone = bar.isUp ? 'text-up' : 'text-down'
  const { legend } = chartText
  const close = <Price name={legend.close} text={bar.close} tone={tone} />
  const change = (
    <span data-testid="legend-change" className={cn('whitespace-nowrap', tone)}>
      {bar.change}
    </span>
  )
  const moment = hasMoment && <span className="whitespace-pre text-text">{bar.moment}</span>
  return (
    <p className={cn('flex min-w-0 flex-wrap gap-x-2 text-shadow-ground', isLine && 'h-4 overflow-hidden')}>
      {isLine ? close : moment}
      {isLine && change}
      <Price name={legend.open} text={bar.open} tone={tone} />
      <Price name={legend.high} text={bar.high} tone={tone} />
      <Price name={legend.low} text={bar.low} tone={tone} />
      {!isLine && close}
      {!isLine && change}
      {bar.volume !== undefined && (
        <span className="whitespace-nowrap">
          {legend.volume} <span className="text-text">{bar.volume}</span>
        </span>
      )}
      {isLine && moment}
    </p>
  )
}

interface PriceProps {
  readonly name: string
  readonly text: string
  readonly tone: string
}

function Price({ name, text, tone }: PriceProps) {
  return (
    <span className="whitespace-nowrap">
      {name} <span className={tone}>{text}</span>
    </span>
  )
}
