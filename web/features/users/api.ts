// The calls about users as query options.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Who has a tab open now. */
export const onlineUsersQuery = queryOptions({
  queryKey: ['online-users'],
  queryFn: async () => (await client.users.online()).onlineUsers,
  staleTime: 0,
})
