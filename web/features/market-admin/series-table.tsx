// Table of all series: trading hours, condition and sources.
import { useMemo } from 'react'
import type { MarketSeries, MarketSource } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { indiaZone } from '#shared/base/india-time.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { feedBadges } from '#shared/chart/market-badge.ts'
import { sourceStateOf } from './group-sources.ts'
import { SourceDot, SourceStateText } from './source-state-text.tsx'

const { seriesColumns: heads } = text
/** For cells only; table headers stay centred. */
const top = '[&:is(td)]:align-top'

const columnsAt = (nowMs: number): readonly DataColumn<MarketSeries>[] => [
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

const tones = { ok: 'text-ok', warn: 'text-warn', danger: 'text-danger', plain: 'text-text-2' } as const

interface MarketStatusCellProps {
  readonly condition: LiveCondition | null
  /** Time of the report, epoch milliseconds. */
  readonly nowMs: number
}

/** Current price condition of a series, in the words of the chart's badge; unknown while nothing subscribes to it. */
export function MarketStatusCell({ condition, nowMs }: MarketStatusCellProps) {
  if (condition === null) return <span className="block text-text-3 md:py-1.5">{text.notInView}</span>
  return (
    <div className="grid max-w-64 gap-1 whitespace-normal max-md:max-w-full md:py-1.5">
      <ConditionText condition={condition} nowMs={nowMs} />
    </div>
  )
}

function ConditionText({ condition, nowMs }: { readonly condition: LiveCondition; readonly nowMs: number }) {
  const { label, reason } = condition
  return (
    <span>
      {feedBadges({ condition, isConnected: true }, { nowMs, zone: indiaZone }).map((badge) => (
        <span key={badge.text} title={badge.note} className={`mr-1.5 text-11 font-semibold tracking-wide ${tones[badge.tone]}`}>
          {badge.text}
        </span>
      ))}
      {label !== null && <span>{label.source}</span>}
      {reason !== null && <span className="block text-text-2 [overflow-wrap:anywhere]">{reason}</span>}
    </span>
  )
}

/** Usable sources of a series in order of preference, then the names of the others: the table of the sources has their reasons. */
function SourceList({ series }: { readonly series: MarketSeries }) {
  const shown = series.condition?.label?.source
  const usable = series.sources.filter(({ issues }) => issues.length === 0)
  const others = series.sources.filter(({ issues }) => issues.length > 0)
  return (
    <ol className="grid gap-1 whitespace-normal md:py-1.5">
      {usable.map((source) => {
        const state = sourceStateOf(source, shown)
        return (
          <li key={source.source} className="flex min-w-0 items-baseline gap-2">
            <SourceDot state={state} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{source.title}</span> <SourceStateText state={state} />
              <span className="text-text-2">{detailsOf(source)}</span>
            </span>
          </li>
        )
      })}
      {others.length > 0 && (
        <li className="text-text-3 [overflow-wrap:anywhere]">{text.othersNotUsed(others.map(({ title }) => title).join(', '))}</li>
      )}
    </ol>
  )
}

function detailsOf({ source, symbol, proxy }: MarketSource): string {
  const parts = [...(symbol === null || source === 'demo' ? [] : [symbol]), ...(proxy === null ? [] : [text.shows(proxy)])]
  return parts.length === 0 ? '' : `: ${parts.join(' · ')}`
}
