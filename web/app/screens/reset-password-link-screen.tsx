// Target of the link in a password reset email: sets a new password.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { passwordRoutes } from '#shared/auth/password-contract.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { PasswordForm } from '#web/features/auth/password-form.tsx'
import { call } from '#web/lib/api.ts'
import { userKey } from '#web/lib/query-client.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/lib/toast.ts'
import { preloadToaster } from '#web/ui/toaster.tsx'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'
import { useLinkToken } from './use-link-token.ts'

// A toast about a lost connection could not load its code when it is needed.
preloadToaster()

const shown = ['newPassword', 'confirmPassword'] as const

export function ResetPasswordLinkScreen() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const token = useLinkToken(paths.resetPassword)
  useTitle(text.resetTitle)

  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <PlainHeader />
      <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
        <div className="mx-auto grid w-full max-w-sm gap-6">
          <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.resetTitle}</h1>
          <p className="-mt-4 text-13 text-pretty text-text-2">{token === undefined ? text.resetIncomplete : text.resetIntro}</p>
          {token === undefined ? (
            <Link to={paths.login} className={buttonClass('outline', 'large')}>
              {text.backToSignIn}
            </Link>
          ) : (
            <PasswordForm
              label={text.resetTitle}
              shown={shown}
              submitText={text.resetSubmit}
              busyText={text.resetBusy}
              send={async ({ newPassword, confirmPassword }) =>
                (await call(passwordRoutes.useLink, { body: { token, newPassword, confirmPassword } })).message
              }
              onDone={(message) => {
                toast({ kind: 'ok', text: message })
                // The reset may have ended this browser's session: refetch the user before the sign-in form shows.
                void cache.refetchQueries({ queryKey: userKey }).then(() => navigate(paths.login, { replace: true }))
              }}
            />
          )}
        </div>
      </main>
    </div>
  )
}
