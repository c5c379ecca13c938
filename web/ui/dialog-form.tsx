// A small form such as a dialog holds: its fields, and below them the way out and the button that sends it.
import type { ReactNode } from 'react'
import { kitText } from '#shared/text/en/kit.ts'
import { Button, type ButtonProps } from './button.tsx'

export interface DialogFormProps extends Pick<ButtonProps, 'variant' | 'busyText'> {
  readonly submitLabel: string
  /** While true there is nothing to send yet. */
  readonly isDisabled?: boolean
  /** While true nothing is sent again. */
  readonly isBusy: boolean
  readonly onSubmit: () => void
  /** Without it there is no button to cancel, as on a page. */
  readonly onCancel?: (() => void) | undefined
  readonly children: ReactNode
}

export function DialogForm({ submitLabel, isBusy, isDisabled = false, onSubmit, onCancel, children, ...look }: DialogFormProps) {
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // Forms around the dialog in the tree must not see it.
        event.stopPropagation()
        if (!isBusy) onSubmit()
      }}
    >
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
    </form>
  )
}
