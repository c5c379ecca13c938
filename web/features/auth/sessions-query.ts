// Query of the user's sessions.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Active sessions of the user, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await client.sessions.list()).data,
  staleTime: 0,
})
