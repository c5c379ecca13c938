// Dialog for recovery codes, which cannot be closed by accident.
import type { ReactNode } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'

export interface CodesDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Undefined while only its own button may close it. */
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
