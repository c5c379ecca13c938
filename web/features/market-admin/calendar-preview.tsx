// What a holiday list would change, day by day.
import type { CalendarChange, CalendarPreview } from '#shared/market-admin/calendar-import-contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { calendarDate } from './calendar-warnings.ts'

const tones = { added: 'text-ok', changed: 'text-warn', removed: 'text-danger', same: 'text-text-3' } as const

export function CalendarPreviewLists({ lists }: { readonly lists: readonly CalendarPreview[] }) {
  return (
    <div className="grid max-h-72 gap-3 overflow-y-auto rounded-panel border border-line p-3 text-13">
      {lists.map(({ exchange, from, until, source, changes }) => (
        <section key={exchange} aria-label={text.importSpan(exchange.toUpperCase(), calendarDate(from), calendarDate(until))}>
          <h3 className="font-semibold">{text.importSpan(exchange.toUpperCase(), calendarDate(from), calendarDate(until))}</h3>
          <p className="pb-1 text-12 text-text-2">{source}</p>
          <ul className="grid gap-0.5">
            {changes.map((row) => (
              <Change key={row.date} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Change({ row: { date, name, hours, change } }: { readonly row: CalendarChange }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <span className="w-24 shrink-0 tabular-nums">{calendarDate(date)}</span>
      <span className={`w-16 shrink-0 ${tones[change]}`}>{text.importChanges[change]}</span>
      <span className="min-w-0 flex-1">{name}</span>
      <span className="text-text-2">{hours === 'closed' ? text.importClosed : hours === 'open' ? text.importOpen : hours}</span>
    </li>
  )
}
