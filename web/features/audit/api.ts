// Paginated audit log query.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

const rowsPerPage = 50

/** Newest first; the last id of a page is the cursor of the next. */
export function auditQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'audit', search],
    queryFn: async ({ pageParam }) => {
      const query = { ...(search === '' ? {} : { search }), ...(pageParam === undefined ? {} : { before: pageParam }) }
      return (await client.audit.list({ query })).data
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < rowsPerPage ? undefined : page.at(-1)?.id),
    staleTime: 0,
  })
}
