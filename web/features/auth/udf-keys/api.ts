// UDF key calls of the account page.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { createClient } from '#shared/http/client.ts'
import { udfKeyRoutes } from '#shared/udf/key-contract.ts'
import { send } from '#web/lib/api.ts'

export const { udfKeys } = createClient({ udfKeys: udfKeyRoutes }, send)

export const udfKeysQuery = queryOptions({
  queryKey: ['own-udf-keys'],
  queryFn: async () => (await udfKeys.list()).data,
  staleTime: 0,
})

/** Refetches the list. */
export function useUdfKeysChanged(): () => Promise<void> {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: udfKeysQuery.queryKey })
}
