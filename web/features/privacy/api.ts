// Consent state of the user, and what depends on it.
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { privacyRoutes } from '#shared/privacy/contract.ts'
import { call } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query-client.ts'

export const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: async () => (await call(privacyRoutes.state)).data,
})

/** Refetches consent and user, on which access to the charts depends. */
export async function refreshConsent(cache: QueryClient): Promise<void> {
  await Promise.all([cache.invalidateQueries({ queryKey: privacyQuery.queryKey }), cache.refetchQueries({ queryKey: userKey })])
}
