// How the own consent stands, and what changes with it.
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query.ts'

export const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: async () => (await client.privacy.state()).data,
})

/** Reads the consent and the user again, whose charts open or close with it. */
export async function refreshConsent(cache: QueryClient): Promise<void> {
  await Promise.all([cache.invalidateQueries({ queryKey: privacyQuery.queryKey }), cache.refetchQueries({ queryKey: userKey })])
}
