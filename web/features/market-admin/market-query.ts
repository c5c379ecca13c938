// API call of the admin page Market Data.
import { queryOptions } from '@tanstack/react-query'
import { adminMarket } from '#web/features/chart/admin-client.ts'

/** Its own key, so that an admin action on a user does not refetch the market data. */
export const marketQuery = queryOptions({
  queryKey: ['admin-market'],
  queryFn: async () => (await adminMarket.overview()).data,
  staleTime: 0,
})
