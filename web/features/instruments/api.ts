// Query options for the instruments.
import { queryOptions } from '@tanstack/react-query'
import { instrumentRoutes } from '#shared/instruments/contract.ts'
import { call } from '#web/lib/api.ts'

/** Slugs of the instruments that an admin has hidden. */
export const hiddenQuery = queryOptions({
  queryKey: ['hidden-instruments'],
  queryFn: async () => (await call(instrumentRoutes.hidden)).data,
  staleTime: 60_000,
})
