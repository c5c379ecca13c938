// User calls as query options.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'
import { onlineUsersKey } from './online-users-key.ts'

/** Users with an open tab. */
export const onlineUsersQuery = queryOptions({
  queryKey: onlineUsersKey,
  queryFn: async () => (await client.presence.online()).onlineUsers,
  staleTime: 0,
})
