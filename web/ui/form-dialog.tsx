// Dialog with one form.
import { useRef, type ReactNode, type RefObject } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'

export interface FormDialogProps extends Omit<DialogProps, 'firstField' | 'children'> {
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
