// Email address of the account: unconfirmed note, and the form that changes it.
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emailText as text } from '#shared/auth/text/en-email.ts'
import { emailRoutes } from '#shared/auth/email-contract.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { call } from '#web/lib/api.ts'

const stateQuery = queryOptions({
  queryKey: ['own-email'],
  queryFn: async () => (await call(emailRoutes.state)).data,
  staleTime: 0,
})

const noValues = { email: '', password: '' }

/** Renders nothing when the server cannot send email. */
export function EmailSection() {
  const { data } = useQuery(stateQuery)
  if (data?.hasMail !== true) return null
  return (
    <div className="grid gap-4">
      {!data.isConfirmed && <UnconfirmedNote endsAt={data.endsAt} />}
      <ChangeEmail />
    </div>
  )
}

function UnconfirmedNote({ endsAt }: { readonly endsAt: string | null }) {
  const send = useMutation({ mutationFn: async () => (await call(emailRoutes.sendAgain)).message, meta: { isQuiet: true } })
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control border border-line-strong bg-surface px-3 py-2 text-13">
      <p className="min-w-0 flex-1 basis-64 text-pretty text-text-2">
        {endsAt === null ? text.unconfirmed : `${text.unconfirmed} ${text.endsOn(indiaDate(endsAt))}`}
      </p>
      <Button variant="outline" size="small" isBusy={send.isPending} busyText={text.sending} onClick={() => send.mutate()}>
        {text.sendAgain}
      </Button>
      <Outcome error={send.error} message={send.data} />
    </div>
  )
}

function ChangeEmail() {
  const [values, setValues] = useState(noValues)
  const change = useMutation({
    mutationFn: async () => (await call(emailRoutes.change, { body: values })).message,
    meta: { isQuiet: true },
    onSuccess: () => setValues(noValues),
  })
  const fields = apiErrorOf(change.error)?.fields ?? {}
  const set = (part: Partial<typeof noValues>) => {
    setValues({ ...values, ...part })
    if (!change.isIdle) change.reset()
  }
  return (
    <Form
      aria-label={text.changeTitle}
      className="grid max-w-sm gap-4"
      onSubmit={() => {
        if (!change.isPending) change.mutate()
      }}
    >
      <h3 className="text-14 font-semibold">{text.changeTitle}</h3>
      <TextField
        label={text.newEmail}
        name="newEmail"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        value={values.email}
        error={fields['email']}
        onChange={({ target }) => set({ email: target.value })}
      />
      <PasswordField
        label={text.password}
        name="emailPassword"
        autoComplete="current-password"
        value={values.password}
        error={fields['password']}
        onChange={({ target }) => set({ password: target.value })}
      />
      <Outcome error={Object.keys(fields).length > 0 ? null : change.error} message={change.data} />
      <Button type="submit" variant="outline" isBusy={change.isPending} busyText={text.sending}>
        {text.changeSubmit}
      </Button>
    </Form>
  )
}

function Outcome({ error, message }: { readonly error: Error | null; readonly message: string | undefined }) {
  if (error !== null)
    return (
      <p role="alert" className="basis-full text-13 text-danger">
        {serverMessageOf(error) ?? text.failed}
      </p>
    )
  return <output className="block basis-full text-13 empty:hidden">{message}</output>
}
