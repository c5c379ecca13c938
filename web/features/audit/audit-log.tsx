// Audit log: a table of sentences with Load more.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditRow } from '#shared/audit/contract.ts'
import { auditSentence } from '#shared/audit/audit-sentence.ts'
import { isReversed } from '#shared/base/day-range.ts'
import { auditText as text } from '#shared/audit/text/en.ts'
import { adminScreensText } from '#shared/users/text/en.ts'
import { datesText } from '#shared/base/text/en-dates.ts'
import { indiaDateTime, none } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { auditQuery } from './api.ts'
import { auditDetailsText } from './audit-details-text.ts'
import type { AuditListParams } from './audit-list-params.ts'

const { columns: heads } = text

const columns: readonly DataColumn<AuditRow>[] = [
  { id: 'at', head: heads.at, className: 'align-top py-1.5 text-text-2', cell: ({ at }) => <time dateTime={at}>{indiaDateTime(at)}</time> },
  { id: 'what', head: heads.what, card: 'title', className: 'align-top py-1.5', cell: (row) => <What row={row} /> },
  { id: 'actor', head: heads.actor, className: 'align-top py-1.5', cell: ({ actor }) => <Cut value={actor} className="max-w-52" /> },
  { id: 'target', head: heads.target, className: 'align-top py-1.5', cell: ({ target }) => <Cut value={target} className="max-w-52" /> },
  {
    id: 'address',
    head: heads.address,
    className: 'align-top py-1.5 text-text-2',
    cell: ({ address }) => <Cut value={address} className="max-w-36" />,
  },
]

/** Renders loading, empty, error and data states. */
export function AuditLog({ params }: { readonly params: AuditListParams }) {
  const query = useInfiniteQuery(auditQuery(params))
  const isNothing = isReversed(params)
  if (query.isLoadingError) return <FailureNotice query={query} />
  return (
    <>
      <DataTable
        label={adminScreensText.auditLog}
        columns={columns}
        rows={isNothing ? [] : query.data?.pages.flat()}
        rowKey={({ id }) => id}
        empty={isNothing ? datesText.reversed : text.empty}
        isStale={query.isPlaceholderData}
        expectedRows={12}
      />
      {query.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button variant="outline" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.loadMore}
          </Button>
        </div>
      )}
    </>
  )
}

function Cut({ value, className }: { readonly value: string; readonly className: string }) {
  return (
    <span title={value} className={`block md:truncate max-md:max-w-full max-md:[overflow-wrap:anywhere] ${className}`}>
      {value === '' ? none : value}
    </span>
  )
}

/** The sentence, and the values that it leaves out. */
function What({ row }: { readonly row: AuditRow }) {
  const words = auditDetailsText(row.details)
  return (
    <span className="block max-w-140 min-w-0 whitespace-normal [overflow-wrap:anywhere]">
      <span className="block font-medium">{auditSentence(row)}</span>
      {words !== '' && <span className="block text-12 font-normal text-text-3">{words}</span>}
    </span>
  )
}
