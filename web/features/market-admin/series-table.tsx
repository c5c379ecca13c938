// Table of all series: trading hours, condition and sources.
import { useMemo } from 'react'
import type { MarketSeries } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import type { Column } from '#web/ui/data-columns.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { MarketStatusCell } from './market-status-cell.tsx'
import { SourceList } from './source-list.tsx'

const { seriesColumns: heads } = text
/** For cells only; table headers stay centred. */
const top = '[&:is(td)]:align-top'

const columnsAt = (nowMs: number): readonly Column<MarketSeries>[] => [
  { id: 'series', head: heads.series, className: top, card: 'title', cell: (row) => <SeriesName row={row} /> },
  { id: 'hours', head: heads.hours, className: top, cell: (row) => <Hours row={row} /> },
  {
    id: 'now',
    head: heads.now,
    className: top,
    cell: ({ condition }) => <MarketStatusCell condition={condition} nowMs={nowMs} />,
  },
  { id: 'sources', head: heads.sources, className: top, card: 'wide', cell: (row) => <SourceList series={row} /> },
]

export function SeriesTable({ series, nowMs }: { readonly series: readonly MarketSeries[] | undefined; readonly nowMs: number }) {
  const columns = useMemo(() => columnsAt(nowMs), [nowMs])
  return <DataTable label={text.series} columns={columns} rows={series} rowKey={(row) => row.series} empty={null} expectedRows={12} />
}

function SeriesName({ row }: { readonly row: MarketSeries }) {
  return (
    <div className="max-w-48 whitespace-normal max-md:max-w-full md:py-1.5">
      <span className="block font-medium">{row.labels.join(', ')}</span>
      <span className="block text-12 font-normal text-text-2">{row.name}</span>
    </div>
  )
}

function Hours({ row: { sessionClass, hours } }: { readonly row: MarketSeries }) {
  const { isOpen, opensAtMs, reason } = hours
  const opening = opensAtMs === null ? text.opensUnknown : text.opensAt(indiaDateTime(new Date(opensAtMs).toISOString()))
  return (
    <div className="max-w-44 whitespace-normal max-md:max-w-full md:py-1.5">
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className={`size-1.5 rounded-full ${isOpen ? 'bg-ok' : 'bg-text-3'}`} />
        {isOpen ? text.open : text.closed}
      </span>
      {!isOpen && <span className="block text-text-2">{reason === null ? opening : `${opening} (${reason})`}</span>}
      <span className="block text-text-3">{text.sessionClassNames[sessionClass]}</span>
    </div>
  )
}
