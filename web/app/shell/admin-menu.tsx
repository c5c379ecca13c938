// Small screens: button and sheet with the admin sidebar.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { AdminSidebar } from './admin-sidebar.tsx'
import { MenuButton } from './menu-button.tsx'

export function AdminMenu() {
  return (
    <MenuButton label={text.menu}>
      {({ isOpen, onClose }) => (
        <Drawer isOpen={isOpen} onClose={onClose} title={text.admin}>
          <div className="flex min-h-full flex-col">
            <AdminSidebar onLeave={onClose} />
          </div>
        </Drawer>
      )}
    </MenuButton>
  )
}
