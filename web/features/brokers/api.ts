// Broker calls of the account page.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { brokerRoutes } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { call } from '#web/lib/api.ts'

export const brokerQuery = queryOptions({
  queryKey: ['own-broker'],
  queryFn: async () => (await call(brokerRoutes.state)).data,
  staleTime: 0,
})

/** Refetches the state after a change. */
export function useBrokerChanged(): () => void {
  const cache = useQueryClient()
  return () => void cache.invalidateQueries({ queryKey: brokerQuery.queryKey })
}

/** Starts a login at Zerodha and navigates there. */
export function useKiteLogin(begin: () => Promise<{ readonly data: { readonly loginUrl: string } }>, goTo: (url: string) => void) {
  return useMutation({
    mutationFn: async () => (await begin()).data.loginUrl,
    onSuccess: goTo,
    gcTime: 0,
    meta: { isQuiet: true, failureText: text.connectFailed },
  })
}
