// A form that sets a new password, with or without asking for the current one.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Fault } from '#shared/auth/rules.ts'
import { accountText as text } from '#shared/text/en/account.ts'
import { refusalOf, serverMessageOf } from '#web/lib/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField as PasswordInput } from '#web/ui/password-field.tsx'
import { findNewPasswordFault, noPasswords, serverPasswordFault, type PasswordField, type PasswordValues } from './password-rules.ts'

export interface PasswordFormProps {
  readonly label: string
  readonly shown: readonly PasswordField[]
  readonly submitText: string
  readonly busyText: string
  /** Email of the account, for the browser's password store. */
  readonly email?: string
  /** Resolves to the server's sentence. */
  readonly send: (values: PasswordValues) => Promise<string>
  readonly onDone: (message: string) => void
}

/** Empties itself after success; the focus goes to the first faulty field. */
export function PasswordForm({ label, shown, submitText, busyText, email, send, onDone }: PasswordFormProps) {
  const [values, setValues] = useState(noPasswords)
  const [fault, setFault] = useState<Fault<PasswordField>>()
  const formElement = useRef<HTMLFormElement>(null)
  const change = useMutation({ mutationFn: send, meta: { isQuiet: true } })
  const failure = change.error === null || fault !== undefined ? undefined : (serverMessageOf(change.error) ?? text.passwordFailed)

  useEffect(() => {
    if (fault !== undefined) formElement.current?.querySelector<HTMLInputElement>(`[name="${fault.field}"]`)?.focus()
  }, [fault])

  const submit = () => {
    const found = findNewPasswordFault(shown, values)
    setFault(found)
    if (found !== undefined || change.isPending) return
    change.mutate(values, {
      onSuccess: (message) => {
        setValues(noPasswords)
        onDone(message)
      },
      onError: (error) => setFault(serverPasswordFault(shown, refusalOf(error)?.fields ?? {})),
    })
  }

  return (
    <form
      ref={formElement}
      noValidate
      aria-label={label}
      className="grid max-w-sm gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {email !== undefined && <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
      {shown.map((field) => (
        <PasswordInput
          key={field}
          name={field}
          label={text[field]}
          autoComplete={field === 'currentPassword' ? 'current-password' : 'new-password'}
          value={values[field]}
          error={fault?.field === field ? fault.message : undefined}
          onChange={({ target }) => {
            setValues({ ...values, [field]: target.value })
            change.reset()
            if (fault?.field === field) setFault(undefined)
          }}
          required
        />
      ))}
      {failure !== undefined && (
        <p role="alert" className="rounded-control border border-danger/50 px-3 py-2 text-13 text-danger">
          {failure}
        </p>
      )}
      <Button type="submit" size="large" isBusy={change.isPending} busyText={busyText}>
        {submitText}
      </Button>
    </form>
  )
}
