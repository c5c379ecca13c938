// The frame of the admin area: a sidebar with its pages and the ways out.
import { NavLink, Outlet, useNavigate } from 'react-router'
import { useSignOut, useUser } from '#web/features/auth/api.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ArrowLeftIcon, LogOutIcon, UsersIcon } from '#web/ui/icon.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'

/** Stands beside the page on wide screens and above it on small ones. */
export function AdminShell() {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] md:grid-cols-[13rem_1fr] md:grid-rows-1">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <aside className="flex flex-wrap items-center gap-2 border-line bg-surface p-3 max-md:border-b md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:border-r">
        <div className="flex h-8 items-center gap-2 px-2 max-md:mr-auto">
          <Logo />
          <span className="border-l border-line-strong pl-2 text-12 text-text-2">Admin</span>
        </div>
        <nav aria-label="Admin pages" className="max-md:order-last max-md:w-full md:mt-4 md:flex-1">
          <NavLink
            to={paths.admin}
            end
            className="flex h-8 items-center gap-2 rounded-control px-2 text-13 font-medium text-text-2 hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:text-text pointer-coarse:h-11"
          >
            <UsersIcon aria-hidden className="size-4" strokeWidth={1.5} />
            Online Users
          </NavLink>
        </nav>
        <NavLink to={paths.home} aria-label="Go to Homepage" className={buttonClass('quiet', 'medium', 'md:justify-start md:px-2')}>
          <ArrowLeftIcon aria-hidden className="size-4" strokeWidth={1.5} />
          <span className="max-md:hidden">Go to Homepage</span>
        </NavLink>
        <SignOutButton />
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 p-4 outline-none sm:p-6">
        <Outlet />
      </main>
    </div>
  )
}

function SignOutButton() {
  const { user } = useUser()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Button
      variant="quiet"
      className="md:justify-start md:px-2"
      isBusy={signOut.isPending}
      onClick={() => signOut.mutate({ email: user?.email ?? '', by: 'get' }, { onSuccess: () => void navigate(paths.home) })}
    >
      {!signOut.isPending && <LogOutIcon aria-hidden className="size-4" strokeWidth={1.5} />}
      Sign Out
    </Button>
  )
}
