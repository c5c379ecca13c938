// A dialog around one form whose act may ask for the own password.
import { useRef, type ReactNode, type RefObject } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'
import { StepUpHost } from './step-up-host.tsx'

export interface FormDialogProps extends Omit<DialogProps, 'firstField' | 'children'> {
  /** The form; the field that it gives the ref to has the focus first. */
  readonly children: (firstField: RefObject<HTMLInputElement | null>) => ReactNode
}

export function FormDialog({ children, ...dialog }: FormDialogProps) {
  const firstField = useRef<HTMLInputElement>(null)
  return (
    <Dialog {...dialog} firstField={firstField}>
      {children(firstField)}
      <StepUpHost />
    </Dialog>
  )
}
