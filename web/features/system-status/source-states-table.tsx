// Tables of the price sources and of the jobs.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/text/en/system-status.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { ageText } from '#web/lib/india-date.ts'
import type { Column } from '#web/ui/data-columns.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { timeAndAge } from './backup-facts.tsx'

type Source = SystemStatus['sources'][number]
type Job = SystemStatus['jobs'][number]

const { sourceColumns, jobColumns } = text
const whole = (value: number): string => formatNumber(value, 0, 'en-IN')

const sources: readonly Column<Source>[] = [
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

const jobsAt = (nowMs: number): readonly Column<Job>[] => [
  { id: 'job', head: jobColumns.job, card: 'title', cell: ({ job }) => job },
  { id: 'last', head: jobColumns.last, cell: ({ lastSuccessMs }) => timeAndAge(lastSuccessMs, nowMs) },
  { id: 'success', head: jobColumns.success, cell: ({ success }) => whole(success) },
  { id: 'skipped', head: jobColumns.skipped, cell: ({ skipped }) => whole(skipped) },
  {
    id: 'failed',
    head: jobColumns.failed,
    cell: ({ failed }) => <span className={failed > 0 ? 'text-danger' : ''}>{whole(failed)}</span>,
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

export function JobsTable({ jobs, nowMs }: { readonly jobs: readonly Job[] | undefined; readonly nowMs: number }) {
  return (
    <DataTable label={text.jobs} columns={jobsAt(nowMs)} rows={jobs} rowKey={({ job }) => job} empty={text.jobsEmpty} expectedRows={2} />
  )
}
