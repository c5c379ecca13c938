// Signs in with a passkey; renders nothing for an account without one.
import { useMutation, useQuery } from '@tanstack/react-query'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { authRoutes } from '#shared/auth/contract.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { call } from '#web/lib/api.ts'
import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import type { SignInResponse } from '../use-sign-in.ts'

export interface PasskeyButtonProps {
  readonly challenge: string
  readonly onSignedIn: (response: SignInResponse) => void
  readonly onError: (error: unknown) => void
}

export function PasskeyButton({ challenge, onSignedIn, onError }: PasskeyButtonProps) {
  const { data: options, refetch } = useQuery({
    queryKey: ['passkey-options', challenge],
    queryFn: async () => (await call(factorRoutes.passkeyOptions, { body: { challenge } })).data.options ?? null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const use = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const passkey = await startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
      return call(authRoutes.secondFactor, { body: { challenge, passkey: { ...passkey } } })
    },
    onSuccess: onSignedIn,
    onError: (error) => {
      onError(error)
      void refetch()
    },
    meta: { isQuiet: true },
  })
  if (options === undefined || options === null || !canUsePasskeys()) return null
  return (
    <Button variant="outline" size="large" isBusy={use.isPending || use.isSuccess} onClick={() => use.mutate()}>
      {text.toPasskey}
    </Button>
  )
}
