// Dialog that changes the months of a user's subscription.
import { useQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { useNow } from '#web/lib/use-now.ts'
import { DialogForm, FormDialog } from '#web/ui/dialog-form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { termQuery, useChangeMonths } from './api.ts'
import { monthsEffect } from './decision-effect.ts'
import { readDecimal } from '#shared/base/read-decimal.ts'
import { findMonthsIssue } from '#shared/subscriptions/rules.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'

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
  const read = validateMonths(typed)
  const submit = () => {
    if ('issue' in read) return setIssue(read.issue)
    change.mutate(
      { email: user.email, months: read.months },
      { onSuccess: onClose, onError: (error) => setIssue(apiErrorOf(error)?.fields['months']) },
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
        onChange={(event) => {
          setTyped(event.target.value)
          setIssue(undefined)
        }}
      />
      <output className="-mt-2 block min-h-8 text-12 text-text-2">
        {'months' in read && <MonthsEffect userId={user._id} months={read.months} />}
      </output>
    </DialogForm>
  )
}

/** Where premium would end with these months; nothing until that is known. */
function MonthsEffect({ userId, months }: { readonly userId: string; readonly months: number }) {
  const nowMs = useNow()
  const { data } = useQuery(termQuery(userId, months))
  return data !== undefined && <span>{monthsEffect(data, nowMs)}</span>
}

const sentences = {
  'subscriptions.monthsInvalid': subscriptionText.monthsInvalid,
  'subscriptions.monthsWhole': subscriptionText.monthsWhole,
} as const

/** The number, or the message about it. */
export function validateMonths(typed: string): { readonly months: number } | { readonly issue: string } {
  if (typed.trim() === '') return { issue: subscriptionText.monthsRequired }
  const months = readDecimal(typed.trim())
  const code = findMonthsIssue(months)
  return code === undefined ? { months } : { issue: sentences[code] }
}
