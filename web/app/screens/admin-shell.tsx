// Admin area layout: a sidebar, or on small screens a bar with a sheet.
import { Link, Outlet } from 'react-router'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { ConfirmPasswordProvider } from '#web/features/auth/confirm-password-provider.tsx'
import { site } from '#web/lib/site.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'
import { AdminSidebar } from '../shell/admin-sidebar.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { MenuButton } from '../shell/menu-button.tsx'

export function AdminShell() {
  const isNarrow = useMedia('(width < 48rem)')
  return (
    <ConfirmPasswordProvider>
      <div className="flex h-page flex-col md:grid md:grid-cols-[12.5rem_minmax(0,1fr)]">
        <a href={`#${mainId}`} className="skip-link">
          {text.skip}
        </a>
        {isNarrow ? (
          <header className="flex h-11 shrink-0 items-center justify-between border-b border-line bg-surface pr-1 pl-3">
            <Brand />
            <AdminMenu />
          </header>
        ) : (
          <aside className="flex h-page flex-col gap-4 overflow-y-auto border-r border-line bg-surface p-3">
            <div className="flex h-8 shrink-0 items-center px-2">
              <Brand />
            </div>
            <AdminSidebar />
          </aside>
        )}
        <main
          id={mainId}
          tabIndex={-1}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto p-4 outline-none max-sm:mb-(--toasts) sm:pb-[calc(1rem+var(--toasts,0px))]"
        >
          <Outlet />
        </main>
      </div>
    </ConfirmPasswordProvider>
  )
}

const mainId = 'main'

function Brand() {
  return (
    <span className="flex items-center gap-2">
      <Link to={paths.admin} aria-label={`${site.brandName} ${text.admin}`} className="flex items-center rounded-control">
        <Logo />
      </Link>
      <span aria-hidden className="border-l border-line-strong pl-2 text-12 text-text-2">
        {text.admin}
      </span>
    </span>
  )
}

function AdminMenu() {
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
