// Query options for the instruments.
import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api.ts'

/** Slugs of the instruments that an admin has hidden. */
export const hiddenQuery = queryOptions({
  queryKey: ['hidden-instruments'],
  queryFn: async () => (await client.instruments.hidden()).data,
  staleTime: 60_000,
})
