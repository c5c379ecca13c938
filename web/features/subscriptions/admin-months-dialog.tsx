// The dialog that changes the months of a user's subscription.
import { useRef, useState, type RefObject } from 'react'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeMonths } from './api-admin.ts'
import { findMonthsFault } from './months-fault.ts'

/** Open while there is a user. */
export function MonthsDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen={user !== undefined}
      onClose={onClose}
      title={text.changeMonths}
      description={user?.name}
      widthClass="max-w-sm"
      firstField={field}
    >
      {user !== undefined && <MonthsForm user={user} field={field} onClose={onClose} />}
      <StepUpHost />
    </Dialog>
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
    if (found === undefined) change.mutate({ email: user.email, months: Number(typed) }, { onSuccess: onClose })
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!change.isPending) submit()
      }}
    >
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
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          {text.cancel}
        </Button>
        <Button type="submit" isBusy={change.isPending}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}
