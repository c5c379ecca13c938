// On small screens: the button behind which everything stands that finds no place in the header.
import { useState } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { MenuIcon } from '#web/ui/icon.ts'
import type { AccountProps } from './account-actions.tsx'
import { iconButtonClass } from './icon-button-class.ts'
import { AccountSheet } from './panels.tsx'

export function AccountMenu(props: AccountProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={marketText.menu}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className={iconButtonClass}
      >
        <MenuIcon aria-hidden className="size-4.5" strokeWidth={1.5} />
      </button>
      <AccountSheet {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
