// The call of the operator's view of the market data.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Beside the other keys of the admin area, so that an act about a user does not read the market again. */
export const marketQuery = queryOptions({
  queryKey: ['admin-market'],
  queryFn: async () => (await client.adminMarket.overview()).data,
  staleTime: 0,
})
