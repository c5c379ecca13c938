// The own sessions: the call, and how the browser and system of one are called.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Own sessions that are still alive, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await client.users.sessions()).data,
  staleTime: 0,
})
