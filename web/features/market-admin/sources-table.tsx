// Table of the price sources: state, and what each lacks or is allowed, once for all its series.
import type { MarketSeries } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { groupSources, type SourceGroup } from './group-sources.ts'
import { SourceDot, SourceStateText } from './source-state-text.tsx'

const { sourceColumns: heads } = text
const top = '[&:is(td)]:align-top'

const columns: readonly DataColumn<SourceGroup>[] = [
  {
    id: 'source',
    head: heads.source,
    className: top,
    card: 'title',
    cell: ({ title }) => <span className="block font-medium md:py-1.5">{title}</span>,
  },
  { id: 'state', head: heads.state, className: top, cell: (group) => <State group={group} /> },
  { id: 'details', head: heads.details, className: top, card: 'wide', cell: (group) => <Details group={group} /> },
]

export function SourcesTable({ series }: { readonly series: readonly MarketSeries[] | undefined }) {
  const rows = series === undefined ? undefined : groupSources(series)
  return <DataTable label={text.sources} columns={columns} rows={rows} rowKey={({ source }) => source} empty={null} expectedRows={9} />
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
