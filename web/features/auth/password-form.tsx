// Form that sets a new password, with or without the current one.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote, Form, useIssueFocus } from '#web/ui/form.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { findNewPasswordIssue, noPasswords, serverPasswordIssue, type PasswordFieldName, type PasswordValues } from './password-fields.ts'

export interface PasswordFormProps {
  readonly label: string
  readonly shown: readonly PasswordFieldName[]
  readonly submitText: string
  readonly busyText: string
  /** Email of the account, for the browser's password manager. */
  readonly email?: string
  /** Resolves to the server's message. */
  readonly send: (values: PasswordValues) => Promise<string>
  readonly onDone: (message: string) => void
}

/** Clears itself after success; focuses the first invalid field. */
export function PasswordForm({ label, shown, submitText, busyText, email, send, onDone }: PasswordFormProps) {
  const [values, setValues] = useState(noPasswords)
  const [issue, setIssue] = useState<FieldMessage<PasswordFieldName>>()
  const formElement = useRef<HTMLFormElement>(null)
  const change = useMutation({ mutationFn: send, meta: { isQuiet: true } })
  const failure = change.error === null || issue !== undefined ? undefined : (serverMessageOf(change.error) ?? text.passwordFailed)

  useIssueFocus(issue, formElement)

  const submit = () => {
    const found = findNewPasswordIssue(shown, values)
    setIssue(found)
    if (found !== undefined || change.isPending) return
    change.mutate(values, {
      onSuccess: (message) => {
        setValues(noPasswords)
        onDone(message)
      },
      onError: (error) => setIssue(serverPasswordIssue(shown, apiErrorOf(error)?.fields ?? {})),
    })
  }

  return (
    <Form ref={formElement} aria-label={label} className="grid max-w-sm gap-4" onSubmit={submit}>
      {email !== undefined && <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
      {shown.map((field) => (
        <PasswordField
          key={field}
          name={field}
          label={text[field]}
          autoComplete={field === 'currentPassword' ? 'current-password' : 'new-password'}
          value={values[field]}
          error={issue?.field === field ? issue.message : undefined}
          onChange={({ target }) => {
            setValues({ ...values, [field]: target.value })
            change.reset()
            if (issue?.field === field) setIssue(undefined)
          }}
          required
        />
      ))}
      {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
      <Button type="submit" size="large" isBusy={change.isPending} busyText={busyText}>
        {submitText}
      </Button>
    </Form>
  )
}
