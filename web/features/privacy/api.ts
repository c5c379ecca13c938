// Consent state of the user, and what depends on it.
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query-client.ts'

export const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: async () => (await client.privacy.state()).data,
})

/** Refetches consent and user, on which access to the charts depends. */
export async function refreshConsent(cache: QueryClient): Promise<void> {
  await Promise.all([cache.invalidateQueries({ queryKey: privacyQuery.queryKey }), cache.refetchQueries({ queryKey: userKey })])
}
