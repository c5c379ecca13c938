// Menu button with its open state.
import { useState, type ReactNode } from 'react'
import { MenuIcon } from '#web/ui/icon.ts'

export interface MenuButtonProps {
  readonly label: string
  /** The element it opens. */
  readonly children: (state: { readonly isOpen: boolean; readonly onClose: () => void }) => ReactNode
}

export function MenuButton({ label, children }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className={iconButtonClass}
      >
        <MenuIcon aria-hidden className="size-4.5" strokeWidth={1.5} />
      </button>
      {children({ isOpen, onClose: () => setIsOpen(false) })}
    </>
  )
}

export const iconButtonClass =
  'grid size-8 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text aria-expanded:bg-hover pointer-coarse:size-11'
