// What one can do about the own data: agree or withdraw, take it along, erase the account.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { pathOf } from '#shared/http/route.ts'
import { privacyRoutes, type PrivacyState } from '#shared/privacy/contract.ts'
import { accountText } from '#shared/text/en/account.ts'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import type { User } from '#shared/users/user.ts'
import { client } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-queue.ts'
import { privacyQuery, refreshConsent } from './api.ts'
import { ConsentForm } from './consent-form.tsx'
import { EraseAccount } from './erase-account.tsx'

/** Consent is asked of users only: an admin works for the operator. Draws loading, error and full. */
export function YourData({ user }: { readonly user: Pick<User, '_id' | 'email' | 'role'> }) {
  return (
    <div className="grid gap-6">
      {user.role !== 'admin' && <Consent />}
      <div className="divide-y divide-line rounded-panel border border-line bg-surface">
        <Line note={text.exportNote}>
          <ExportButton />
        </Line>
        <Line note={text.eraseNote}>
          <EraseAccount user={user} />
        </Line>
      </div>
    </div>
  )
}

function Consent() {
  const { data, error, isFetching, refetch } = useQuery(privacyQuery)
  if (data === undefined && error !== null)
    return <FailureNotice error={error} fallback={text.stateFailed} isBusy={isFetching} onRetry={() => void refetch()} />
  if (data === undefined)
    return <output aria-label={accountText.loading} className="block h-16 animate-breathe rounded-panel border border-line bg-surface" />
  if (data.consent === 'given')
    return (
      <div className="rounded-panel border border-line bg-surface">
        <Line note={`${sentenceOf(data)} ${text.withdrawNote}`}>
          <WithdrawButton />
        </Line>
      </div>
    )
  return (
    <div className="grid gap-4 rounded-panel border border-warn/50 bg-surface p-4">
      <p className="max-w-prose text-13 text-pretty">{sentenceOf(data)}</p>
      <ConsentForm />
    </div>
  )
}

function sentenceOf({ consent, at, noticeVersion, erasedOn }: PrivacyState): string {
  if (consent === 'withdrawn') return text.consentWithdrawn(indiaDate(erasedOn))
  if (consent === 'missing' || at === null || noticeVersion === null) return text.consentMissing
  return text.consentGiven(indiaDate(at), indiaDate(noticeVersion))
}

function WithdrawButton() {
  const cache = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const withdraw = useMutation({
    mutationFn: () => client.privacy.withdrawConsent({ body: { isSure: true } }),
    onSuccess: async ({ message }) => {
      setIsAsking(false)
      toast({ kind: 'ok', text: message })
      await refreshConsent(cache)
    },
  })
  return (
    <>
      <Button variant="outline" onClick={() => setIsAsking(true)}>
        {text.withdraw}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={text.withdraw}
        question={text.withdrawQuestion}
        confirmLabel={text.withdraw}
        isBusy={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

function ExportButton() {
  const save = useMutation({
    mutationFn: () => download(pathOf(privacyRoutes.exportData, {}), 'my-data.json'),
    meta: { failureText: text.exportFailed },
  })
  return (
    <Button variant="outline" isBusy={save.isPending} onClick={() => save.mutate()}>
      {text.export}
    </Button>
  )
}

function Line({ note, children }: { readonly note: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
      <p className="max-w-prose min-w-0 flex-1 basis-64 text-13 text-pretty text-text-2">{note}</p>
      {children}
    </div>
  )
}
