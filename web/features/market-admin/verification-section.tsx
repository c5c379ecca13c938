// Last verification of stored candles: its time, its findings and what remains.
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { findingKinds, leftOf, type Finding, type VerifyReport } from '#shared/market-data/verify-report.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'

const count = (value: number): string => formatNumber(value, 0, 'en-IN')
const moment = (ms: number): string => indiaDateTime(new Date(ms).toISOString())
const { findingColumns: heads } = text

const columns: readonly DataColumn<Finding>[] = [
  { id: 'series', head: heads.series, card: 'title', cell: ({ series }) => series },
  { id: 'source', head: heads.source, cell: ({ source }) => source },
  { id: 'step', head: heads.step, cell: ({ step }) => step },
  { id: 'kind', head: heads.kind, cell: ({ kind }) => text.findingKinds[kind] },
  { id: 'from', head: heads.from, cell: ({ fromMs }) => moment(fromMs) },
  { id: 'to', head: heads.to, cell: ({ toMs }) => moment(toMs) },
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
          columns={columns}
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
