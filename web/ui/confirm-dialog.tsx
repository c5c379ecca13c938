// Confirmation dialog of an action.
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useContext, type ReactNode } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { Button, type ButtonVariant } from './button.tsx'
import { NestedDialogContext } from './nested-dialog-context.ts'

export interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly question: string
  readonly confirmLabel: string
  readonly variant?: ButtonVariant
  readonly isBusy?: boolean
  /** Disables the confirmation, for example until its effect is known. */
  readonly isDisabled?: boolean
  /** Below the question. */
  readonly children?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Cancel is focused first; Escape cancels, a click outside does nothing. */
export function ConfirmDialog({ variant = 'danger', isBusy = false, isDisabled = false, ...props }: ConfirmDialogProps) {
  const { isOpen, title, question, confirmLabel, children, onConfirm, onClose } = props
  const nested = useContext(NestedDialogContext)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-canvas/75 transition-opacity duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-40 w-[calc(100vw-2rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 rounded-dialog border border-line-strong bg-raised p-4 transition duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0">
          <AlertDialog.Title className="text-16 font-semibold [overflow-wrap:anywhere]">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-13 [overflow-wrap:anywhere] text-text-2">{question}</AlertDialog.Description>
          {children}
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close render={<Button variant="outline">{text.cancel}</Button>} />
            <Button variant={variant} isBusy={isBusy} disabled={isDisabled} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
          {nested}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
