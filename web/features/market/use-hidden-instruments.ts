// The instruments that an admin has taken out of menu and search.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { hiddenQuery } from './api.ts'

/** Slugs; none while that is not known. */
export function useHiddenInstruments(): ReadonlySet<string> {
  const { data } = useQuery(hiddenQuery)
  return useMemo(() => new Set(data), [data])
}
