// On small screens: the button and the sheet behind which the sidebar of the admin area stands.
import { useState } from 'react'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { MenuIcon } from '#web/ui/icon.ts'
import { AdminSidebar } from './admin-sidebar.tsx'
import { iconButtonClass } from './icon-button-class.ts'

export function AdminMenu() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={text.menu}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className={iconButtonClass}
      >
        <MenuIcon aria-hidden className="size-4.5" strokeWidth={1.5} />
      </button>
      <Drawer isOpen={isOpen} onClose={() => setIsOpen(false)} title={text.admin}>
        <div className="flex min-h-full flex-col">
          <AdminSidebar onLeave={() => setIsOpen(false)} />
        </div>
      </Drawer>
    </>
  )
}
