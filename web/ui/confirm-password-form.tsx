// Dialog form for an action that requires the user's password.
import { useMutation } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import type { ButtonProps } from './button.tsx'
import { DialogForm } from './dialog-form.tsx'
import { PasswordField } from './password-field.tsx'

export interface ConfirmPasswordFormProps extends Pick<ButtonProps, 'variant' | 'busyText'> {
  readonly field: RefObject<HTMLInputElement | null>
  readonly submitLabel: string
  /** Error below the field when it is empty. */
  readonly emptyText?: string
  /** Error below the field if the server gave no message. */
  readonly failureText: string
  /** Rejects with the server's error, whose message is shown. */
  readonly send: (password: string) => Promise<unknown>
  readonly onCancel: () => void
}

export function ConfirmPasswordForm(props: ConfirmPasswordFormProps) {
  const { field, submitLabel, emptyText = text.passwordEmpty, failureText, send, onCancel, ...look } = props
  const [password, setPassword] = useState('')
  const [issue, setIssue] = useState<string>()
  const submit = useMutation({
    mutationFn: () => send(password),
    onError: (error) => setIssue(serverMessageOf(error) ?? failureText),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  return (
    <DialogForm
      {...look}
      submitLabel={submitLabel}
      isBusy={submit.isPending}
      onSubmit={() => (password === '' ? setIssue(emptyText) : submit.mutate())}
      onCancel={onCancel}
    >
      <PasswordField
        ref={field}
        name="current-password"
        label={text.yourPassword}
        autoComplete="current-password"
        value={password}
        error={issue}
        onChange={({ target }) => {
          setPassword(target.value)
          setIssue(undefined)
        }}
        required
      />
    </DialogForm>
  )
}
