// Replaces every screen while the password is one that an admin has set.
import { useQueryClient } from '@tanstack/react-query'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import { useUser } from '#web/features/auth/api.ts'
import { useSignOut } from '#web/features/auth/sign-out.ts'
import { PasswordForm } from '#web/features/auth/password-form.tsx'
import { passwordFields } from '#web/features/auth/password-rules.ts'
import { client } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { toast } from '#web/lib/toast-queue.ts'

/** Offers a new password and sign-out. */
export function ChoosePasswordScreen() {
  const { user } = useUser()
  const cache = useQueryClient()
  const signOut = useSignOut()
  const email = user?.email ?? ''
  useTitle(text.temporaryTitle)
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex h-14 items-center justify-between border-b border-line bg-surface px-4 sm:px-6">
        <Logo />
        <Button variant="quiet" size="small" isBusy={signOut.isPending} onClick={() => signOut.mutate({ email })}>
          {text.signOut}
        </Button>
      </header>
      <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
        <div className="mx-auto grid w-full max-w-sm gap-6">
          <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.temporaryTitle}</h1>
          <p className="-mt-4 text-13 text-pretty text-text-2">{text.temporaryText}</p>
          <PasswordForm
            label={text.temporaryTitle}
            shown={passwordFields}
            submitText={text.temporarySubmit}
            busyText={text.temporaryBusy}
            email={email}
            send={async (body) => (await client.self.changePassword({ body })).message}
            onDone={(message) => {
              toast({ kind: 'ok', text: message })
              void cache.refetchQueries({ queryKey: userKey })
            }}
          />
        </div>
      </main>
    </div>
  )
}
