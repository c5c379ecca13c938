// Query options for the instruments.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { instrumentRoutes } from '#shared/instruments/contract.ts'
import { call } from '#web/lib/api.ts'
import { useMemo } from 'react'

/** Slugs of the instruments that an admin has hidden. */
export const hiddenQuery = queryOptions({
  queryKey: ['hidden-instruments'],
  queryFn: async () => (await call(instrumentRoutes.hidden)).data,
  staleTime: 60_000,
})

/** Hidden slugs; empty while unknown. */
export function useHiddenInstruments(): ReadonlySet<string> {
  const { data } = useQuery(hiddenQuery)
  return useMemo(() => new Set(data), [data])
}
