// The line above a chart: what it shows, how fresh that is, what must be known about it, and whose chart it is.
import type { ReactNode } from 'react'
import type { Instrument } from '#shared/market/instruments.ts'
import { marketText } from '#shared/text/en/market.ts'

export interface ChartBarProps {
  readonly instrument: Instrument
  readonly badge: ReactNode
  /** Why not every timeframe can be chosen. */
  readonly limitText: string | undefined
  readonly attribution: ReactNode
}

export function ChartBar({ instrument, badge, limitText, attribution }: ChartBarProps) {
  const notes = [instrument.note, limitText].filter((note) => note !== null && note !== undefined)
  return (
    <div className="border-b border-line px-3">
      <div className="flex min-h-8 items-center gap-x-3 max-sm:py-1.5">
        <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="text-14 font-semibold whitespace-nowrap">{instrument.label}</span>
          <span className="text-12 font-normal text-text-2">{instrument.name}</span>
        </h1>
        <div className="contents max-sm:ml-auto max-sm:flex max-sm:flex-col max-sm:items-end max-sm:gap-0.5">
          {badge}
          <div className="ml-auto flex items-center text-11">{attribution}</div>
        </div>
      </div>
      {notes.length > 0 && (
        <p id={chartNoteId} className="pb-1.5 text-12 text-pretty text-text-2">
          {notes.join(' ')}
        </p>
      )}
    </div>
  )
}

/** The timeframe selector points here for its description. */
export const chartNoteId = 'chart-note'

export function FreshnessBadge({ widget }: { readonly widget: 'live' | 'end-of-day' }) {
  const isLive = widget === 'live'
  return (
    <span data-testid="freshness" className="flex items-center gap-1.5 text-11 whitespace-nowrap text-text-3">
      <span
        className={`inline-flex items-center gap-1 rounded-control border px-1 py-px font-semibold tracking-wide ${isLive ? 'border-ok/40 text-ok' : 'border-warn/40 text-warn'}`}
      >
        {isLive && <span aria-hidden className="size-1.5 rounded-full bg-ok" />}
        {isLive ? marketText.badgeLive : marketText.badgeEndOfDay}
      </span>
      <span className="max-sm:hidden">{marketText.source}</span>
    </span>
  )
}
