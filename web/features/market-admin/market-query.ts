// API call of the admin page Market Data.
import { queryOptions } from '@tanstack/react-query'
import { marketAdminRoutes } from '#shared/market-admin/contract.ts'
import { call } from '#web/lib/api.ts'

/** Its own key, so that an admin action on a user does not refetch the market data. */
export const marketQuery = queryOptions({
  queryKey: ['admin-market'],
  queryFn: async () => (await call(marketAdminRoutes.overview)).data,
  staleTime: 0,
})
