// User calls as query options.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Users with an open tab. */
export const onlineUsersQuery = queryOptions({
  queryKey: ['online-users'],
  queryFn: async () => (await client.presence.online()).onlineUsers,
  staleTime: 0,
})
