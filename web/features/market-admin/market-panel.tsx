// Admin page Market Data: figures of this process, sources, all series, the calendars.
import { useQuery } from '@tanstack/react-query'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import { CalendarImport } from './calendar-import.tsx'
import { CalendarNotice } from './calendar-notice.tsx'
import { CalendarsTable } from './calendars-table.tsx'
import { MarketFacts } from './market-facts.tsx'
import { marketQuery } from './market-query.ts'
import { RejectedRowsSection } from './rejected-rows-section.tsx'
import { SeriesTable } from './series-table.tsx'
import { SourcesTable } from './sources-table.tsx'
import { VerificationSection } from './verification-section.tsx'

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
