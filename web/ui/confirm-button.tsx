// Button whose action is confirmed in a dialog.
import { useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface ConfirmButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'aria-label'> {
  readonly label: string
  readonly title: string
  readonly question: string
  /** Label of the dialog's button, if not `label`. */
  readonly confirmLabel?: string
  readonly isBusy: boolean
  /** Gets the function that closes the dialog. */
  readonly onConfirm: (close: () => void) => void
}

export function ConfirmButton({ label, title, question, confirmLabel = label, isBusy, onConfirm, ...look }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  const close = () => setIsAsking(false)
  return (
    <>
      <Button {...look} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={title}
        question={question}
        confirmLabel={confirmLabel}
        isBusy={isBusy}
        onConfirm={() => onConfirm(close)}
        onClose={close}
      />
    </>
  )
}
