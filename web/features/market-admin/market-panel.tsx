// Admin page Market Data: figures of this process, sources, all series, the calendars.
import { useQuery } from '@tanstack/react-query'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import { CalendarImport } from './calendar-import.tsx'
import { CalendarNotice } from './calendar-notice.tsx'
import { marketQuery } from './market-query.ts'
import { RejectedRowsSection } from './rejected-rows-section.tsx'
import { SeriesTable } from './series-table.tsx'
import { SourcesTable } from './sources-table.tsx'
import { VerificationSection } from './verification-section.tsx'
import type { MarketOverview, MarketCalendar } from '#shared/market-admin/contract.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { calendarDate, calendarName } from './calendar-warnings.ts'

/** Renders loading, error and data states. No polling: a page left open must not keep a session alive. */
export function MarketPanel() {
  const query = useQuery(marketQuery)
  const { data, error, isFetching } = query
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RefreshHeading title={text.marketData} texts={text} query={query} />
      {error !== null && <FailureNotice query={query} />}
      {(data !== undefined || error === null) && (
        <>
          <CalendarNotice>
            <CalendarImport />
          </CalendarNotice>
          {data !== undefined && <MarketFacts market={data} isBusy={isFetching} />}
          {data !== undefined && <VerificationSection report={data.verification} />}
          {data !== undefined && <RejectedRowsSection rows={data.rejectedRows} />}
          <h2 className="text-14 font-semibold">{text.sources}</h2>
          <SourcesTable series={data?.series} />
          <h2 className="text-14 font-semibold">{text.series}</h2>
          <SeriesTable series={data?.series} nowMs={data?.nowMs ?? 0} />
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-14 font-semibold">{text.calendars}</h2>
            <CalendarImport />
          </div>
          <CalendarsTable calendars={data?.calendars} />
        </>
      )}
    </div>
  )
}

/** Key figures of the answering process's market data. */
function MarketFacts({ market, isBusy }: { readonly market: MarketOverview; readonly isBusy: boolean }) {
  const { process, series } = market
  const inView = series.filter(({ condition }) => condition !== null)
  const note = text.hubNotes[process.hub]
  const stale = inView.filter(({ condition }) => condition?.isStale === true).length
  const facts: readonly Fact[] = [
    { name: text.liveSockets, value: formatNumber(process.liveSockets, 0, 'en-IN') },
    { name: text.hub, value: text.hubPlaces[process.hub], isWrong: process.hub === 'silent' },
    { name: text.inView, value: text.inViewOf(inView.length, series.length) },
    { name: text.stale, value: formatNumber(stale, 0, 'en-IN'), isWrong: stale > 0 },
  ]
  return (
    <section aria-label={text.facts} aria-busy={isBusy}>
      <FactGrid facts={facts} columns={4} />
      {note !== null && <p className="mt-2 text-12 text-text-2">{note}</p>}
    </section>
  )
}

const { calendarColumns: calendarHeads } = text

const calendarColumns: readonly DataColumn<MarketCalendar>[] = [
  { id: 'name', head: calendarHeads.calendar, card: 'title', cell: (row) => <span className="font-medium">{calendarName(row)}</span> },
  {
    id: 'serves',
    head: calendarHeads.serves,
    className: 'text-text-2',
    cell: ({ sessionClasses }) => sessionClasses.map((sessionClass) => text.sessionClassNames[sessionClass]).join(', '),
  },
  { id: 'version', head: calendarHeads.version, className: 'text-text-2', cell: ({ version }) => version },
  {
    id: 'until',
    head: calendarHeads.until,
    cell: ({ coveredUntil }) => (coveredUntil === null ? text.everyYear : calendarDate(coveredUntil)),
  },
  { id: 'left', head: calendarHeads.left, cell: (row) => <Left calendar={row} /> },
]

/** Trading calendars and their last covered dates. */
function CalendarsTable({ calendars }: { readonly calendars: readonly MarketCalendar[] | undefined }) {
  return <DataTable label={text.calendars} columns={calendarColumns} rows={calendars} rowKey={calendarName} empty={null} expectedRows={7} />
}

function Left({ calendar: { coveredUntil, daysLeft } }: { readonly calendar: MarketCalendar }) {
  if (daysLeft !== null) return <span className="text-warn">{text.daysLeft(daysLeft)}</span>
  return <span className="text-text-2">{coveredUntil === null ? text.noEnd : text.daysEnough}</span>
}
