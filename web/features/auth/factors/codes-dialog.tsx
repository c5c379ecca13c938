// A dialog that may hold recovery codes, which a slip must not close.
import type { ReactNode } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'

export interface CodesDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Undefined while it may not be closed from outside. */
  readonly onClose: (() => void) | undefined
  readonly children: ReactNode
}

export function CodesDialog({ isOpen, title, onClose, children }: CodesDialogProps) {
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose} widthClass="max-w-md">
      {children}
    </Dialog>
  )
}
