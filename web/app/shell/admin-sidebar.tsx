// Content of the admin sidebar: page links and exits; also used in the sheet on small screens.
import { Link, NavLink, useNavigate } from 'react-router'
import { adminInstrumentsText } from '#shared/instruments/text/en-admin.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { systemStatusText } from '#shared/system-status/text/en.ts'
import { useUser } from '#web/features/auth/api.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import {
  ActivityIcon,
  ArrowLeftIcon,
  AuditIcon,
  ChartLineIcon,
  KeyIcon,
  LogOutIcon,
  SettingsIcon,
  UserCheckIcon,
  UsersIcon,
  WalletIcon,
} from '#web/ui/icon.ts'
import { paths } from '../paths.ts'

const pages = [
  { to: paths.admin, label: text.allUsers, Icon: UsersIcon },
  { to: paths.adminRequests, label: text.requestedUsers, Icon: UserCheckIcon },
  { to: paths.adminPlans, label: text.updatePayment, Icon: WalletIcon },
  { to: paths.adminPassword, label: text.resetPassword, Icon: KeyIcon },
  { to: paths.adminAudit, label: text.auditLog, Icon: AuditIcon },
  { to: paths.adminMarket, label: adminMarketText.marketData, Icon: ChartLineIcon },
  { to: paths.adminInstruments, label: adminInstrumentsText.instruments, Icon: SettingsIcon },
  { to: paths.adminStatus, label: systemStatusText.status, Icon: ActivityIcon },
] as const

const icon = { 'aria-hidden': true, className: 'size-4 shrink-0', strokeWidth: 1.5 } as const
const exitClass = 'h-auto! min-h-8 justify-start! px-2! py-1 text-left whitespace-normal! max-md:min-h-11'

/** Calls `onLeave` when a page is chosen. */
export function AdminSidebar({ onLeave }: { readonly onLeave?: () => void }) {
  return (
    <>
      <nav aria-label={text.pages} className="grid gap-0.5">
        {pages.map(({ to, label, Icon }) => (
          <NavLink
            key={to}
            to={to}
            end
            onClick={onLeave}
            className="flex min-h-8 items-center gap-2 rounded-control px-2 text-13 font-medium text-text-2 hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:text-text py-1 max-md:min-h-11 pointer-coarse:min-h-11"
          >
            <Icon {...icon} />
            {label}
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto grid gap-0.5 pt-4">
        <Link to={paths.home} className={buttonClass('quiet', 'medium', exitClass)}>
          <ArrowLeftIcon {...icon} />
          {text.goHome}
        </Link>
        <SignOutButton />
      </div>
    </>
  )
}

function SignOutButton() {
  const { user } = useUser()
  const navigate = useNavigate()
  // Synchronous, or the 403 screen would flash first.
  const signOut = useSignOut(() => void navigate(paths.home, { flushSync: true }))
  return (
    <Button
      variant="quiet"
      className={exitClass}
      isBusy={signOut.isPending}
      icon={<LogOutIcon {...icon} />}
      onClick={() => signOut.mutate({ email: user?.email ?? '', by: 'get' })}
    >
      {text.signOut}
    </Button>
  )
}
