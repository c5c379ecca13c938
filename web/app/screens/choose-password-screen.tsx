// Replaces every screen while the password is one that an admin has set.
import { privacyText as text } from '#shared/privacy/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { ChangePassword } from '#web/features/auth/change-password.tsx'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { userKey } from '#web/lib/query-client.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'

/** Offers a new password and sign-out. */
export function ChoosePasswordScreen() {
  const { user } = useUser()
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
          <p className="-mt-4 text-13 text-pretty text-text-2">{user?.role === 'admin' ? text.temporaryAdminText : text.temporaryText}</p>
          <ChangePassword
            email={email}
            label={text.temporaryTitle}
            submitText={text.temporarySubmit}
            busyText={text.temporaryBusy}
            changed={userKey}
          />
        </div>
      </main>
    </div>
  )
}
