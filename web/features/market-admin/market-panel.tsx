// Admin page Market Data: figures of this process, all series, the calendars.
import { useQuery } from '@tanstack/react-query'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { RefreshIcon } from '#web/ui/icon.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { CalendarNotice } from './calendar-notice.tsx'
import { CalendarsTable } from './calendars-table.tsx'
import { MarketFacts } from './market-facts.tsx'
import { marketQuery } from './market-query.ts'
import { SeriesTable } from './series-table.tsx'
import { VerificationSection } from './verification-section.tsx'

/** Renders loading, error and data states. No polling: a page left open must not keep a session alive. */
export function MarketPanel() {
  const query = useQuery(marketQuery)
  const { data, error, isFetching, refetch } = query
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-20 font-semibold tracking-tight">{text.marketData}</h1>
          <p className="text-12 text-text-2">{text.intro}</p>
        </div>
        <div className="flex items-center gap-3">
          {data !== undefined && (
            <span className="text-12 text-text-2 tabular-nums">{text.at(indiaDateTime(new Date(data.nowMs).toISOString()))}</span>
          )}
          <Button variant="outline" size="small" isBusy={isFetching} onClick={() => void refetch()}>
            {!isFetching && <RefreshIcon aria-hidden className="size-3.5" />}
            {text.refresh}
          </Button>
        </div>
      </div>
      {error !== null && <FailureNotice query={query} />}
      {(data !== undefined || error === null) && (
        <>
          <CalendarNotice />
          {data !== undefined && <MarketFacts market={data} isBusy={isFetching} />}
          {data !== undefined && <VerificationSection report={data.verification} />}
          <SeriesTable series={data?.series} nowMs={data?.nowMs ?? 0} />
          <h2 className="text-14 font-semibold">{text.calendars}</h2>
          <CalendarsTable calendars={data?.calendars} />
        </>
      )}
    </div>
  )
}
