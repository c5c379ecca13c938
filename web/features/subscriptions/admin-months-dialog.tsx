// The dialog that changes the months of a user's subscription.
import { useState, type RefObject } from 'react'
import { readDecimal } from '#shared/base/decimal.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeMonths } from './api-admin.ts'
import { findMonthsFault } from './months-fault.ts'

/** Open while there is a user. */
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
  const [fault, setFault] = useState<string>()
  const change = useChangeMonths()
  const submit = () => {
    const found = findMonthsFault(typed)
    setFault(found)
    if (found !== undefined) return
    change.mutate(
      { email: user.email, months: readDecimal(typed.trim()) },
      { onSuccess: onClose, onError: (error) => setFault(refusalOf(error)?.fields['months']) },
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
        error={fault}
        hint={text.monthsEffect}
        onChange={(event) => {
          setTyped(event.target.value)
          setFault(undefined)
        }}
      />
    </DialogForm>
  )
}
