// Form layout for dialogs: fields, cancel button and submit button.
import { type ReactNode, useRef, type RefObject } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Form } from './form.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

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

interface FormDialogProps extends Omit<DialogProps, 'firstField' | 'children'> {
  /** The form; the field with the passed ref is focused first. */
  readonly children: (firstField: RefObject<HTMLInputElement | null>) => ReactNode
}

export function FormDialog({ children, ...dialog }: FormDialogProps) {
  const firstField = useRef<HTMLInputElement>(null)
  return (
    <Dialog {...dialog} firstField={firstField}>
      {children(firstField)}
    </Dialog>
  )
}
