// The calls of two-factor sign-in on the account page.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { factors } from '#web/lib/account-client.ts'
import { withStepUp } from '#web/lib/step-up.ts'
import { sessionsQuery } from '../sessions.ts'

/** What the own account has. */
export const factorsQuery = queryOptions({
  queryKey: ['own-factors'],
  queryFn: async () => (await factors.state()).data,
  staleTime: 0,
})

/** Reads again what a change of factors has changed. */
export function useFactorsChanged(): () => void {
  const cache = useQueryClient()
  return () => {
    void cache.invalidateQueries({ queryKey: factorsQuery.queryKey })
    void cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
}

/** Begins a setup; each call makes a new key. */
export const totpSetupQuery = queryOptions({
  queryKey: ['totp-setup'],
  queryFn: async () => (await withStepUp(() => factors.startTotp())).data,
  // The key is kept nowhere once the form is gone, and never changes under a QR code that is being scanned.
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
})

/** Gives the first code of the app; resolves to recovery codes where there were none. */
export function useConfirmTotp() {
  const changed = useFactorsChanged()
  return useMutation({
    mutationFn: async (code: string) => (await factors.confirmTotp({ body: { code } })).data.recoveryCodes,
    onSuccess: changed,
    gcTime: 0,
    meta: { isQuiet: true },
  })
}

/** Makes ten new recovery codes. */
export function useNewRecoveryCodes() {
  const changed = useFactorsChanged()
  return useMutation({
    mutationFn: async () => (await withStepUp(() => factors.newRecoveryCodes())).data.recoveryCodes,
    onSuccess: changed,
    gcTime: 0,
    meta: { failureText: text.actionFailed },
  })
}
