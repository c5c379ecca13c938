// Return page of the Zerodha login: completes the login once and goes to the account page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { brokersText as text } from '#shared/brokers/text/en.ts'
import { emailText } from '#shared/auth/text/en-email.ts'
import { brokerRoutes } from '#shared/brokers/contract.ts'
import { brokerQuery } from '#web/features/brokers/api.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/form.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'

export function BrokerReturnScreen() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const taken = useRef(false)
  useTitle(text.title)
  const finish = useMutation({
    mutationFn: async (params: URLSearchParams) => {
      const [requestToken, state] = [params.get('request_token') ?? '', params.get('state') ?? '']
      if (requestToken === '' || params.get('status') === 'failed') return text.returnCancelled
      toast({ kind: 'ok', text: (await call(brokerRoutes.finishKite, { body: { requestToken, state } })).message })
      return undefined
    },
    async onSuccess(problem) {
      if (problem !== undefined) return
      await cache.invalidateQueries({ queryKey: brokerQuery.queryKey })
      await navigate(paths.account, { replace: true })
    },
    gcTime: 0,
    meta: { isQuiet: true },
  })
  const { mutate } = finish
  useEffect(() => {
    if (taken.current) return
    taken.current = true
    // Keeps the token out of history, shared screens and copied addresses.
    window.history.replaceState(window.history.state, '', paths.brokerReturn)
    mutate(new URLSearchParams(search))
  }, [mutate, search])
  const problem = finish.isError ? (serverMessageOf(finish.error) ?? text.connectFailed) : finish.data
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <PlainHeader />
      <main className="flex flex-col px-4 py-8 sm:justify-center sm:px-6">
        <div className="mx-auto grid w-full max-w-sm gap-6">
          <h1 className="text-28 leading-tight font-semibold tracking-tight">{text.title}</h1>
          {problem === undefined ? (
            <output className="block text-14 text-text-2">{text.returning}</output>
          ) : (
            <>
              <ErrorNote>{problem}</ErrorNote>
              <Link to={paths.account} className={buttonClass('outline', 'large')}>
                {emailText.toAccount}
              </Link>
            </>
          )}
        </div>
      </main>
    </div>
  )
}
