// Header actions of a signed-in user: admin, settings or premium, account page, sign out, support.
import { Link } from 'react-router'
import { marketText } from '#shared/chart/text/en-shell.ts'
import type { User } from '#shared/users/user.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { site } from '#web/lib/site.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { AccountIcon, LogOutIcon, MessageCircleIcon, SettingsIcon, ShieldIcon, ZapIcon } from '#web/ui/icon.ts'
import { paths } from '../paths.ts'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

/** A page that has run the provider's script must be unloaded before the admin area or a password form is shown. */
const leavesScript = site.tradingViewMount === 'script'

export interface AccountProps {
  readonly user: User
  readonly isPremium: boolean
  readonly isSettingsOpen: boolean
  readonly onSettings: () => void
  readonly onPremium: () => void
}

export function AccountActions({ user, isPremium, isSettingsOpen, onSettings, onPremium }: AccountProps) {
  const signOut = useSignOut()
  return (
    <>
      {user.role === 'admin' && (
        <Link to={paths.admin} reloadDocument={leavesScript} className={buttonClass('quiet', 'small')}>
          <ShieldIcon {...icon} />
          {marketText.adminDashboard}
        </Link>
      )}
      {isPremium ? (
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isSettingsOpen}
          onClick={onSettings}
          className="aria-expanded:bg-hover aria-expanded:text-text"
          icon={<SettingsIcon {...icon} />}
        >
          {marketText.settings}
        </Button>
      ) : (
        <Button size="small" onClick={onPremium} icon={<ZapIcon {...icon} />}>
          {marketText.premiumChart}
        </Button>
      )}
      <Link to={paths.account} reloadDocument={leavesScript} className={buttonClass('quiet', 'small')}>
        <AccountIcon {...icon} />
        {marketText.account}
      </Link>
      <Button
        variant="quiet"
        size="small"
        isBusy={signOut.isPending}
        onClick={() => signOut.mutate({ email: user.email })}
        icon={<LogOutIcon {...icon} />}
      >
        {marketText.signOut}
      </Button>
    </>
  )
}

export function SupportLink() {
  return (
    <a href={site.supportUrl} target="_blank" rel="noopener noreferrer" className={buttonClass('quiet', 'small')}>
      <MessageCircleIcon {...icon} />
      {marketText.support}
    </a>
  )
}
