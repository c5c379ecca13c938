// Where the link of a mail leads: it confirms the address that the mail was sent to.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { emailText as text } from '#shared/text/en/email.ts'
import { email } from '#web/lib/account-client.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { userKey } from '#web/lib/query.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Waits for a click, because programs that scan mails open links. */
export function ConfirmEmailScreen() {
  const cache = useQueryClient()
  const token = useLinkToken(paths.confirmEmail)
  useTitle(text.confirmTitle)
  const confirm = useMutation({
    mutationFn: async (given: string) => (await email.confirm({ body: { token: given } })).message,
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
          {confirm.isError && (
            <p role="alert" className="rounded-control border border-danger/50 px-3 py-2 text-13 text-danger">
              {serverMessageOf(confirm.error) ?? text.failed}
            </p>
          )}
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
