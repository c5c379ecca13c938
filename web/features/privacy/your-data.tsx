// Privacy section of the account page: consent, data export, account erasure.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState, useRef } from 'react'
import { pathOf } from '#shared/http/route.ts'
import { privacyRoutes, type PrivacyState } from '#shared/privacy/contract.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { call } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FailureNotice, PanelSkeleton } from '#web/ui/notice.tsx'
import { toast } from '#web/lib/toast.ts'
import { privacyQuery, refreshConsent } from './api.ts'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { findTickIssue, noTicks } from '#shared/privacy/rules.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { issueIn } from '#shared/text/texts.ts'
import { Form } from '#web/ui/form.tsx'
import { ConsentFields } from './consent-fields.tsx'
import { forgetUnsaved } from '#web/lib/forget-unsaved.ts'
import { session } from '#web/lib/browser-storage.ts'
import { ConfirmPasswordForm } from '#web/ui/confirm-password-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Only users give consent: an admin works for the operator. Renders loading, error and data states. */
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
  const query = useQuery(privacyQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.stateFailed} />
  if (query.data === undefined) return <PanelSkeleton label={accountText.loading} />
  const state = query.data
  if (state.consent === 'given')
    return (
      <div className="rounded-panel border border-line bg-surface">
        <Line note={`${formatMessage(state)} ${text.withdrawNote}`}>
          <WithdrawButton />
        </Line>
      </div>
    )
  return (
    <div className="grid gap-4 rounded-panel border border-warn/50 bg-surface p-4">
      <p className="max-w-prose text-13 text-pretty">{formatMessage(state)}</p>
      <ConsentForm />
    </div>
  )
}

function formatMessage({ consent, at, noticeVersion, erasedOn }: PrivacyState): string {
  if (consent === 'withdrawn') return text.consentWithdrawn(indiaDate(erasedOn))
  if (consent === 'missing' || at === null || noticeVersion === null) return text.consentMissing
  return text.consentGiven(indiaDate(at), indiaDate(noticeVersion))
}

function WithdrawButton() {
  const cache = useQueryClient()
  const withdraw = useMutation({
    mutationFn: (_close: () => void) => withStepUp(() => call(privacyRoutes.withdrawConsent, { body: { isSure: true } })),
    onSuccess: async ({ message }, close) => {
      close()
      toast({ kind: 'ok', text: message })
      await refreshConsent(cache)
    },
  })
  return (
    <ConfirmButton
      label={text.withdraw}
      variant="outline"
      title={text.withdraw}
      question={text.withdrawQuestion}
      isBusy={withdraw.isPending}
      onConfirm={withdraw.mutate}
    />
  )
}

function ExportButton() {
  const save = useMutation({
    mutationFn: () => withStepUp(() => download(pathOf(privacyRoutes.exportData, {}), 'my-data.json')),
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

function ConsentForm() {
  const cache = useQueryClient()
  const [ticks, setTicks] = useState(noTicks)
  const [issue, setIssue] = useState<FieldMessage<string>>()
  const give = useMutation({
    mutationFn: () => call(privacyRoutes.giveConsent, { body: { noticeVersion, isAdult: ticks.isAdult } }),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await refreshConsent(cache)
    },
  })
  const submit = () => {
    const found = issueIn(text, findTickIssue(ticks))
    setIssue(found)
    if (found === undefined && !give.isPending) give.mutate()
  }
  return (
    <Form aria-label={text.consentForm} className="grid max-w-prose gap-4" onSubmit={submit}>
      <ConsentFields
        ticks={ticks}
        issue={issue}
        onTick={(box, isTicked) => {
          setTicks({ ...ticks, [box]: isTicked })
          if (issue?.field === box) setIssue(undefined)
        }}
      />
      <Button type="submit" className="justify-self-start" isBusy={give.isPending}>
        {text.agree}
      </Button>
    </Form>
  )
}

interface EraseAccountProps {
  readonly user: Pick<User, '_id' | 'email'>
}

function EraseAccount({ user }: EraseAccountProps) {
  const [isOpen, setIsOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const close = () => setIsOpen(false)
  const erase = async (password: string) => {
    const { message } = await call(privacyRoutes.eraseAccount, { body: { password } })
    toast({ kind: 'ok', text: message })
    // Clears the user's data in this browser too; the page becomes the sign-in form.
    session.clear()
    forgetUnsaved({ id: user._id, email: user.email })
  }
  return (
    <>
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        {text.erase}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={text.eraseTitle} description={text.eraseText} firstField={field}>
        <ConfirmPasswordForm
          field={field}
          submitLabel={text.erase}
          variant="danger"
          busyText={text.eraseBusy}
          failureText={text.eraseFailed}
          send={erase}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}
