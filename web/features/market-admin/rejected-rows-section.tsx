// Prices of sources that cannot be true, counted by series and source.
import type { RejectedRowsReport } from '#shared/market-admin/contract.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'

const count = (value: number): string => formatNumber(value, 0, 'en-IN')
const { rejectedColumns: heads } = text

const columns: readonly DataColumn<RejectedRowsReport>[] = [
  { id: 'series', head: heads.series, card: 'title', cell: ({ series }) => series },
  { id: 'source', head: heads.source, cell: ({ source, isOwn }) => (isOwn ? text.ownBroker(source) : source) },
  { id: 'waiting', head: heads.waiting, cell: ({ waiting }) => count(waiting) },
  { id: 'settled', head: heads.settled, cell: ({ settled }) => count(settled) },
  { id: 'leftOut', head: heads.leftOut, cell: ({ leftOut }) => count(leftOut) },
  { id: 'issue', head: heads.issue, cell: ({ issue }) => text.candleIssues[issue] },
  { id: 'at', head: heads.at, cell: ({ answeredMs }) => indiaDateTime(new Date(answeredMs).toISOString()) },
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
        columns={columns}
        rows={rows}
        rowKey={({ series, source, isOwn }) => `${series} ${source} ${isOwn}`}
        empty={null}
        expectedRows={1}
      />
    </section>
  )
}
