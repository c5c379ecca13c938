// Audit log of admin actions: a searchable table with Load more.
import { useInfiniteQuery } from '@tanstack/react-query'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { AuditRow } from '#shared/audit/contract.ts'
import { indiaDateTime, none } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/data-columns.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { auditQuery } from './api.ts'
import { actionWords, detailWords } from './audit-words.ts'

const { auditColumns: heads } = text

const columns: readonly Column<AuditRow>[] = [
  { id: 'at', head: heads.at, className: 'text-text-2', cell: ({ at }) => <time dateTime={at}>{indiaDateTime(at)}</time> },
  { id: 'actor', head: heads.actor, cell: ({ actor }) => <Cut value={actor} className="max-w-52" /> },
  { id: 'action', head: heads.action, card: 'title', cell: ({ action }) => <span className="font-medium">{actionWords(action)}</span> },
  { id: 'target', head: heads.target, cell: ({ target }) => <Cut value={target} className="max-w-52" /> },
  { id: 'address', head: heads.address, className: 'text-text-2', cell: ({ address }) => <Cut value={address} className="max-w-36" /> },
  { id: 'details', head: heads.details, card: 'wide', className: 'text-text-2', cell: ({ details }) => <Details details={details} /> },
]

/** Renders loading, empty, error and data states. */
export function AuditLog({ search }: { readonly search: string }) {
  const query = useInfiniteQuery(auditQuery(search))
  if (query.isLoadingError) return <FailureNotice query={query} />
  return (
    <>
      <DataTable
        label={text.auditLog}
        columns={columns}
        rows={query.data?.pages.flat()}
        rowKey={({ id }) => id}
        empty={text.auditEmpty}
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
    <span title={value} className={`block truncate max-md:max-w-full ${className}`}>
      {value === '' ? none : value}
    </span>
  )
}

function Details({ details }: { readonly details: string }) {
  const words = detailWords(details)
  return <span className="block max-w-140 min-w-0 whitespace-normal md:py-1.5 [overflow-wrap:anywhere]">{words === '' ? none : words}</span>
}
