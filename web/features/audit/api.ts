// Paginated audit log query, and its export.
import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { auditRoutes } from '#shared/audit/contract.ts'
import { isReversed } from '#shared/base/day-range.ts'
import { pathOf } from '#shared/http/route.ts'
import { auditText } from '#shared/audit/text/en.ts'
import { call } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { auditFilterOf, type AuditListParams } from './audit-list-params.ts'

const rowsPerPage = 50

/** Newest first; the last id of a page is the cursor of the next. */
export function auditQuery(params: AuditListParams) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'audit', params],
    queryFn: async ({ pageParam }) => {
      const query = { ...auditFilterOf(params), ...(pageParam === undefined ? {} : { before: pageParam }) }
      return (await call(auditRoutes.list, { query })).data
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < rowsPerPage ? undefined : page.at(-1)?.id),
    enabled: !isReversed(params),
    staleTime: 0,
  })
}

/** Downloads the filtered entries as a CSV file. */
export function useExportAudit() {
  return useMutation({
    mutationFn: (params: AuditListParams) =>
      withStepUp(() => download(pathOf(auditRoutes.export, { query: auditFilterOf(params) }), 'audit-log.csv')),
    meta: { failureText: auditText.exportFailed },
  })
}
