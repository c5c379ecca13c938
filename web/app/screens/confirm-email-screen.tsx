// Target of the link in a confirmation email: confirms the email address.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { emailText as text } from '#shared/auth/text/en-email.ts'
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { userKey } from '#web/lib/query-client.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/form.tsx'
import { call } from '#web/lib/api.ts'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Requires a click, because email scanners open links. */
export function ConfirmEmailScreen() {
  const cache = useQueryClient()
  const token = useLinkToken(paths.confirmEmail)
  useTitle(text.confirmTitle)
  const confirm = useMutation({
    mutationFn: async (token: string) => (await call(emailRoutes.confirm, { body: { token } })).message,
    meta: { isQuiet: true },
    onSuccess: () => cache.refetchQueries({ queryKey: userKey }),
  })

  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <PlainHeader />
      <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
        <div className="mx-auto grid w-full max-w-sm gap-6">
          <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.confirmTitle}</h1>
          <p className="-mt-4 text-13 text-pretty text-text-2">{token === undefined ? text.confirmIncomplete : text.confirmIntro}</p>
          {confirm.isError && <ErrorNote>{serverMessageOf(confirm.error) ?? text.failed}</ErrorNote>}
          <output className="block text-14 empty:hidden">{confirm.data}</output>
          {token === undefined || confirm.isSuccess ? (
            <Link to={paths.account} className={buttonClass('outline', 'large')}>
              {text.toAccount}
            </Link>
          ) : (
            <Button size="large" isBusy={confirm.isPending} busyText={text.confirmBusy} onClick={() => confirm.mutate(token)}>
              {text.confirmSubmit}
            </Button>
          )}
        </div>
      </main>
    </div>
  )
}
