// Admin page Market Data: figures of this process, sources, all series, the calendars.
import { useQuery } from '@tanstack/react-query'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import { CalendarImport } from './calendar-import.tsx'
import { CalendarNotice } from './calendar-notice.tsx'
import { marketQuery } from './market-query.ts'
import { SeriesTable } from './series-table.tsx'
import type { MarketOverview, MarketCalendar, RejectedRowsReport, MarketSeries } from '#shared/market-admin/contract.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { calendarDate, calendarName } from './calendar-warnings.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { groupSources, type SourceGroup } from './group-sources.ts'
import { SourceDot, SourceStateText } from './source-state-text.tsx'
import { findingKinds, leftOf, type Finding, type VerifyReport } from '#shared/market-data/verify-report.ts'

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

const count = (value: number): string => formatNumber(value, 0, 'en-IN')
const { rejectedColumns } = text

const rejectedRowColumns: readonly DataColumn<RejectedRowsReport>[] = [
  { id: 'series', head: rejectedColumns.series, card: 'title', cell: ({ series }) => series },
  { id: 'source', head: rejectedColumns.source, cell: ({ source, isOwn }) => (isOwn ? text.ownBroker(source) : source) },
  { id: 'waiting', head: rejectedColumns.waiting, cell: ({ waiting }) => count(waiting) },
  { id: 'settled', head: rejectedColumns.settled, cell: ({ settled }) => count(settled) },
  { id: 'leftOut', head: rejectedColumns.leftOut, cell: ({ leftOut }) => count(leftOut) },
  { id: 'issue', head: rejectedColumns.issue, cell: ({ issue }) => text.candleIssues[issue] },
  { id: 'at', head: rejectedColumns.at, cell: ({ answeredMs }) => indiaDateTime(new Date(answeredMs).toISOString()) },
]

/** Renders nothing when there are none. */
export function RejectedRowsSection({ rows }: { readonly rows: readonly RejectedRowsReport[] }) {
  if (rows.length === 0) return null
  return (
    <section aria-label={text.rejectedRows} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-14 font-semibold">{text.rejectedRows}</h2>
      <p className="text-13 text-text-2">{text.rejectedRowsHint}</p>
      <DataTable
        label={text.rejectedRows}
        columns={rejectedRowColumns}
        rows={rows}
        rowKey={({ series, source, isOwn }) => `${series} ${source} ${isOwn}`}
        empty={null}
        expectedRows={1}
      />
    </section>
  )
}

const { sourceColumns } = text
const top = '[&:is(td)]:align-top'

const sourceTableColumns: readonly DataColumn<SourceGroup>[] = [
  {
    id: 'source',
    head: sourceColumns.source,
    className: top,
    card: 'title',
    cell: ({ title }) => <span className="block font-medium md:py-1.5">{title}</span>,
  },
  { id: 'state', head: sourceColumns.state, className: top, cell: (group) => <State group={group} /> },
  { id: 'details', head: sourceColumns.details, className: top, card: 'wide', cell: (group) => <Details group={group} /> },
]

function SourcesTable({ series }: { readonly series: readonly MarketSeries[] | undefined }) {
  const rows = series === undefined ? undefined : groupSources(series)
  return (
    <DataTable
      label={text.sources}
      columns={sourceTableColumns}
      rows={rows}
      rowKey={({ source }) => source}
      empty={null}
      expectedRows={9}
    />
  )
}

function State({ group: { state, failure } }: { readonly group: SourceGroup }) {
  return (
    <div className="max-w-72 whitespace-normal max-md:max-w-full md:py-1.5">
      <span className="flex items-baseline gap-2">
        <SourceDot state={state} />
        <SourceStateText state={state} />
      </span>
      {failure !== null && <span className="block text-text-2 [overflow-wrap:anywhere]">{failure}</span>}
    </div>
  )
}

function Details({ group: { parts } }: { readonly group: SourceGroup }) {
  return (
    <ul className="grid gap-1 whitespace-normal md:py-1.5">
      {parts.map(({ details, labels }) => (
        <li key={details} className="[overflow-wrap:anywhere]">
          <span>{details}</span> <span className="text-text-3">{labels.join(', ')}</span>
        </li>
      ))}
    </ul>
  )
}

const moment = (ms: number): string => indiaDateTime(new Date(ms).toISOString())
const { findingColumns } = text

const findingTableColumns: readonly DataColumn<Finding>[] = [
  { id: 'series', head: findingColumns.series, card: 'title', cell: ({ series }) => series },
  { id: 'source', head: findingColumns.source, cell: ({ source }) => source },
  { id: 'step', head: findingColumns.step, cell: ({ step }) => step },
  { id: 'kind', head: findingColumns.kind, cell: ({ kind }) => text.findingKinds[kind] },
  { id: 'from', head: findingColumns.from, cell: ({ fromMs }) => moment(fromMs) },
  { id: 'to', head: findingColumns.to, cell: ({ toMs }) => moment(toMs) },
]

export function VerificationSection({ report }: { readonly report: VerifyReport | null }) {
  return (
    <section aria-label={text.verification} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-14 font-semibold">{text.verification}</h2>
      {report === null ? <p className="text-13 text-text-2">{text.verificationNever}</p> : <Report report={report} />}
    </section>
  )
}

function Report({ report }: { readonly report: VerifyReport }) {
  const left = leftOf(report)
  const unnamed = left - report.left.length
  return (
    <>
      <p className="text-13 text-text-2">
        {text.verifiedAt(moment(report.endedMs), count(report.series), count(report.candles))}{' '}
        <strong className={left === 0 ? 'font-medium text-ok' : 'font-medium text-danger'}>
          {left === 0 ? text.verifiedClean : text.verifiedLeft(count(left))}
        </strong>
      </p>
      <Counts report={report} />
      {report.left.length > 0 && (
        <DataTable
          label={text.verification}
          columns={findingTableColumns}
          rows={report.left}
          rowKey={({ series, source, step, kind, fromMs }) => `${series} ${source} ${step} ${kind} ${fromMs}`}
          empty={null}
          expectedRows={3}
        />
      )}
      {unnamed > 0 && <p className="text-12 text-text-2">{text.findingsMore(count(unnamed))}</p>}
    </>
  )
}

/** Renders nothing when there are no findings. */
function Counts({ report: { counts } }: { readonly report: VerifyReport }) {
  const rows = findingKinds.filter((kind) => counts[kind].found > 0)
  if (rows.length === 0) return null
  const { findingCounts: names } = text
  return (
    <ul className="grid gap-1 text-12 text-text-2">
      {rows.map((kind) => {
        const { found, left } = counts[kind]
        return (
          <li key={kind}>
            {`${text.findingKinds[kind]}: ${names.found} ${count(found)}, ${names.repaired} ${count(Math.max(0, found - left))}, ${names.left} ${count(left)}`}
          </li>
        )
      })}
    </ul>
  )
}
