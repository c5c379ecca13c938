// Dialog that changes the months of a user's subscription.
import { useState, type RefObject } from 'react'
import { readDecimal } from '#shared/base/decimal.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { rejectionOf } from '#web/lib/api-error.ts'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeMonths } from './api-admin.ts'
import { findMonthsIssue } from './validate-months.ts'

/** Open while `user` is defined. */
export function MonthsDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  return (
    <FormDialog isOpen={user !== undefined} onClose={onClose} title={text.changeMonths} description={user?.name} widthClass="max-w-sm">
      {(field) => user !== undefined && <MonthsForm user={user} field={field} onClose={onClose} />}
    </FormDialog>
  )
}

interface MonthsFormProps {
  readonly user: User
  readonly field: RefObject<HTMLInputElement | null>
  readonly onClose: () => void
}

function MonthsForm({ user, field, onClose }: MonthsFormProps) {
  const [typed, setTyped] = useState(String(user.subscriptionMonths))
  const [issue, setIssue] = useState<string>()
  const change = useChangeMonths()
  const submit = () => {
    const found = findMonthsIssue(typed)
    setIssue(found)
    if (found !== undefined) return
    change.mutate(
      { email: user.email, months: readDecimal(typed.trim()) },
      { onSuccess: onClose, onError: (error) => setIssue(rejectionOf(error)?.fields['months']) },
    )
  }
  return (
    <DialogForm submitLabel={text.save} isBusy={change.isPending} onSubmit={submit} onCancel={onClose}>
      <TextField
        ref={field}
        label={text.months}
        name="months"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={issue}
        hint={text.monthsEffect}
        onChange={(event) => {
          setTyped(event.target.value)
          setIssue(undefined)
        }}
      />
    </DialogForm>
  )
}
