// Sets a new password for an account; used on its own page and in the dialog.
import { useRef, useState, type RefObject } from 'react'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { accountText } from '#shared/auth/text/en-account.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { useIssueFocus } from '#web/ui/form.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/lib/toast.ts'
import { useResetPassword } from './api.ts'

export interface ResetPasswordFormProps {
  readonly email: string
  /** The own password is changed with the current one, without which the server refuses it. */
  readonly isOwn: boolean
  /** Initially shows the new password as plain text, as specified for the page. */
  readonly isPlain?: boolean
  readonly onDone?: () => void
  readonly firstField?: RefObject<HTMLInputElement | null>
  /** Cancel handler, in the dialog. */
  readonly onCancel?: () => void
}

/** The fields are cleared after each submit, after success and failure. */
export function ResetPasswordForm({ email, isOwn, isPlain = false, onDone, onCancel, firstField }: ResetPasswordFormProps) {
  const [form, setForm] = useState(() => emptyPasswordForm(isOwn))
  const [issue, setIssue] = useState<FieldMessage<keyof PasswordForm>>()
  const lastField = useRef<HTMLInputElement>(null)
  const reset = useResetPassword()
  useIssueFocus(issue, lastField)

  const submit = () => {
    const found = findPasswordIssue(form)
    setIssue(found)
    if (found !== undefined) return
    reset.mutate(
      { email, newPassword: form.newPassword, currentPassword: form.currentPassword },
      {
        onSuccess: (message) => {
          toast({ kind: 'ok', text: message === '' ? adminText.passwordUpdated : message })
          onDone?.()
        },
        onSettled: () => setForm(emptyPasswordForm(isOwn)),
      },
    )
  }
  const field = (name: keyof PasswordForm, label: string) => ({
    name,
    label,
    value: form[name] ?? '',
    error: issue?.field === name ? issue.message : undefined,
    autoComplete: name === 'currentPassword' ? 'current-password' : 'new-password',
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setForm({ ...form, [name]: event.target.value })
      setIssue(undefined)
    },
  })

  return (
    <DialogForm submitLabel={text.changePassword} isBusy={reset.isPending} onSubmit={submit} onCancel={onCancel}>
      <TextField label={text.email} value={email} readOnly autoComplete="username" className="*:text-text-2" />
      {isOwn && <PasswordField {...field('currentPassword', accountText.currentPassword)} ref={firstField} />}
      <PasswordField {...field('newPassword', text.newPassword)} {...(isOwn ? {} : { ref: firstField })} isShownAtFirst={isPlain} />
      <PasswordField
        {...field('confirmPassword', text.confirmNewPassword)}
        ref={lastField}
        hint={isOwn ? accountText.passwordNote : text.passwordIsTemporary}
      />
    </DialogForm>
  )
}

interface PasswordForm {
  /** Only for the own account. */
  readonly currentPassword?: string
  readonly newPassword: string
  readonly confirmPassword: string
}

/** In the order of the screen. */
const fields = ['currentPassword', 'newPassword', 'confirmPassword'] as const satisfies readonly (keyof PasswordForm)[]

function emptyPasswordForm(isOwn: boolean): PasswordForm {
  return { newPassword: '', confirmPassword: '', ...(isOwn ? { currentPassword: '' } : {}) }
}

/** The message and its first field, or undefined; the minimum length depends on the account, so the server checks it. */
export function findPasswordIssue(form: PasswordForm): FieldMessage<keyof PasswordForm> | undefined {
  const empty = fields.find((field) => form[field] === '')
  if (empty !== undefined) return { field: empty, message: adminText.fillAllFields }
  return form.newPassword === form.confirmPassword ? undefined : { field: 'confirmPassword', message: adminText.passwordsDiffer }
}
