// Table of the price sources and their states.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/system-status/text/en.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { ageText } from '#web/lib/india-date.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'

type Source = SystemStatus['sources'][number]

const { sourceColumns } = text
const whole = (value: number): string => formatNumber(value, 0, 'en-IN')

const sources: readonly DataColumn<Source>[] = [
  { id: 'source', head: sourceColumns.source, card: 'title', cell: (row) => row.source ?? text.noSource },
  { id: 'state', head: sourceColumns.state, cell: (row) => <SourceState row={row} /> },
  { id: 'series', head: sourceColumns.series, cell: (row) => whole(row.series) },
  {
    id: 'stale',
    head: sourceColumns.stale,
    cell: (row) => <span className={row.stale > 0 ? 'text-danger' : ''}>{whole(row.stale)}</span>,
  },
  {
    id: 'age',
    head: sourceColumns.age,
    cell: ({ ageMs, series }) =>
      ageMs === null ? (
        <span className="text-text-3">{series === 0 ? text.ageNone : text.ageUnknown}</span>
      ) : (
        ageText(new Date(0).toISOString(), ageMs)
      ),
  },
]

function SourceState({ row: { source, isReal, failure, isKnown } }: { readonly row: Source }) {
  const { sourceStates } = text
  if (failure !== null)
    return (
      <span className="block text-danger md:py-1">
        <span>{sourceStates.fails}</span>
        <span className="block max-w-80 whitespace-normal text-text-2 [overflow-wrap:anywhere]">{failure}</span>
      </span>
    )
  if (source === null) return <span className="text-danger">{sourceStates.fails}</span>
  return <span className="text-text-2">{isReal ? (isKnown ? sourceStates.works : sourceStates.unknown) : sourceStates.generated}</span>
}

export function SourceStatesTable({ sources: rows }: { readonly sources: readonly Source[] | undefined }) {
  return (
    <DataTable
      label={text.sources}
      columns={sources}
      rows={rows}
      rowKey={(row) => row.source ?? ''}
      empty={text.sourcesEmpty}
      expectedRows={2}
    />
  )
}
