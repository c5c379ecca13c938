// Query of the user's sessions.
import { queryOptions } from '@tanstack/react-query'
import { sessionRoutes } from '#shared/auth/session-contract.ts'
import { call } from '#web/lib/api.ts'

/** Active sessions of the user, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await call(sessionRoutes.list)).data,
  staleTime: 0,
})
