// Form layout for dialogs: fields, cancel button and submit button.
import type { ReactNode } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Form } from './form.tsx'

export interface DialogFormProps extends Pick<ButtonProps, 'variant' | 'busyText'> {
  readonly submitLabel: string
  /** Disables the submit button while there is nothing to send. */
  readonly isDisabled?: boolean
  /** Prevents a second submit. */
  readonly isBusy: boolean
  readonly onSubmit: () => void
  /** Undefined hides the cancel button, for use on a page. */
  readonly onCancel?: (() => void) | undefined
  readonly children: ReactNode
}

export function DialogForm({ submitLabel, isBusy, isDisabled = false, onSubmit, onCancel, children, ...look }: DialogFormProps) {
  return (
    <Form className="grid gap-4" onSubmit={() => (isBusy ? undefined : onSubmit())}>
      {children}
      <div className="flex justify-end gap-2">
        {onCancel !== undefined && (
          <Button variant="outline" onClick={onCancel}>
            {kitText.cancel}
          </Button>
        )}
        <Button {...look} type="submit" isBusy={isBusy} disabled={isDisabled}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  )
}
