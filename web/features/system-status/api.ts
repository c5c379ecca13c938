// Calls of the admin page Status.
import { queryOptions } from '@tanstack/react-query'
import { systemStatusRoutes } from '#shared/system-status/contract.ts'
import { call } from '#web/lib/api.ts'

export const statusQuery = queryOptions({
  queryKey: ['admin-status'],
  queryFn: async () => (await call(systemStatusRoutes.read)).data,
  staleTime: 0,
})
