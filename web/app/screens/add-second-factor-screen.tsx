// Replaces every screen for an admin who must set up two-factor sign-in.
import { useQueryClient } from '@tanstack/react-query'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { ConfirmPasswordProvider } from '#web/features/auth/confirm-password-provider.tsx'
import { TotpSetup } from '#web/features/auth/factors/totp-setup.tsx'
import { userKey } from '#web/lib/query-client.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'

/** Offers setup and sign-out. */
export function AddSecondFactorScreen({ onDone }: { readonly onDone: () => void }) {
  const { user } = useUser()
  const cache = useQueryClient()
  const signOut = useSignOut()
  useTitle(text.requiredTitle)
  const finish = async () => {
    // Wait for the server's state: otherwise the screen would come back.
    await cache.refetchQueries({ queryKey: userKey })
    onDone()
  }
  return (
    <ConfirmPasswordProvider>
      <div className="grid min-h-dvh grid-rows-[auto_1fr]">
        <header className="flex h-14 items-center justify-between border-b border-line bg-surface px-4 sm:px-6">
          <Logo />
          <Button variant="quiet" size="small" isBusy={signOut.isPending} onClick={() => signOut.mutate({ email: user?.email ?? '' })}>
            {privacyText.signOut}
          </Button>
        </header>
        <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
          <div className="mx-auto grid w-full max-w-sm gap-6">
            <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.requiredTitle}</h1>
            <p className="-mt-4 text-13 text-pretty text-text-2">{text.requiredText}</p>
            <TotpSetup onDone={() => void finish()} />
          </div>
        </main>
      </div>
    </ConfirmPasswordProvider>
  )
}
