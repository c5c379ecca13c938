// Calls of the admin page Status.
import { queryOptions } from '@tanstack/react-query'
import { createClient } from '#shared/http/client.ts'
import { systemStatusRoutes } from '#shared/system-status/contract.ts'
import { send } from '#web/lib/api.ts'

// Separate, so that the first screens do not load it.
const { systemStatus } = createClient({ systemStatus: systemStatusRoutes }, send)

export const statusQuery = queryOptions({
  queryKey: ['admin-status'],
  queryFn: async () => (await systemStatus.read()).data,
  staleTime: 0,
})
