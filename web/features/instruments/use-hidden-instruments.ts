// Instruments that an admin has hidden from menu and search.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { hiddenQuery } from './api.ts'

/** Hidden slugs; empty while unknown. */
export function useHiddenInstruments(): ReadonlySet<string> {
  const { data } = useQuery(hiddenQuery)
  return useMemo(() => new Set(data), [data])
}
