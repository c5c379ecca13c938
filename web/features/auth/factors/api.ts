// Two-factor sign-in calls of the account page.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { call } from '#web/lib/api.ts'
import { sessionsQuery } from '../sessions-query.ts'

/** Second factors of the account. */
export const factorsQuery = queryOptions({
  queryKey: ['own-factors'],
  queryFn: async () => (await call(factorRoutes.state)).data,
  staleTime: 0,
})

/** Refetches what a change of factors affects. */
export function useFactorsChanged(): () => void {
  const cache = useQueryClient()
  return () => {
    void cache.invalidateQueries({ queryKey: factorsQuery.queryKey })
    void cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
}

/** Starts a setup; each call generates a new key. */
export const totpSetupQuery = queryOptions({
  queryKey: ['totp-setup'],
  queryFn: async () => (await withStepUp(() => call(factorRoutes.startTotp))).data,
  // The key is not cached once the form is gone, and must not change while the QR code is scanned.
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
})

/** Confirms the setup with the app's first code; resolves to recovery codes if there were none. */
export function useConfirmTotp() {
  const changed = useFactorsChanged()
  return useMutation({
    mutationFn: async (code: string) => (await call(factorRoutes.confirmTotp, { body: { code } })).data.recoveryCodes,
    onSuccess: changed,
    gcTime: 0,
    meta: { isQuiet: true },
  })
}

/** Generates ten new recovery codes. */
export function useNewRecoveryCodes() {
  const changed = useFactorsChanged()
  return useMutation({
    mutationFn: async () => (await withStepUp(() => call(factorRoutes.newRecoveryCodes))).data.recoveryCodes,
    onSuccess: changed,
    gcTime: 0,
    meta: { failureText: text.actionFailed },
  })
}

export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window
}
