// Header: brand, support, time, countdown and account.
import { Link } from 'react-router'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { CountdownClock } from '#web/features/chart/countdown-clock.tsx'
import { HeaderDate, HeaderTime } from '#web/features/chart/header-clock.tsx'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { useMarketStatus } from '#web/features/market-data/market-status.ts'
import type { Place } from '#web/features/chart/use-chart-route.ts'
import { useShownHours } from '#web/features/chart/use-shown-hours.ts'
import { site } from '#web/lib/site.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'
import { AccountActions, SupportLink, type AccountProps } from './account-actions.tsx'
import { UserBadge } from './user-badge.tsx'
import { MenuButton } from './menu-button.tsx'
import { lazyPanels } from './lazy-panels.tsx'

interface HeaderBarProps extends AccountProps {
  readonly place: Place
}

export function HeaderBar(props: HeaderBarProps) {
  const { user, isPremium, place } = props
  return (
    <div className="flex h-11 shrink-0 items-center gap-3 border-b border-line bg-surface pr-2 pl-3 text-12">
      <div className="flex items-center gap-3">
        <Link
          to={paths.home + place.search}
          aria-label={site.brandName}
          className="flex shrink-0 items-center rounded-control pointer-coarse:min-h-11"
        >
          <Logo />
        </Link>
        <div className="max-xl:hidden">
          <SupportLink />
        </div>
      </div>
      <div className="ml-auto flex min-w-0 items-center gap-3 xl:mx-auto">
        <div className="flex items-center gap-3 max-md:hidden">
          <HeaderDate />
          <HeaderTime />
          <span aria-hidden className="h-4 w-px bg-line" />
        </div>
        <NextCandle place={place} />
      </div>
      <div className="flex min-w-0 items-center justify-end gap-1 max-xl:hidden">
        <UserBadge user={user} isPremium={isPremium} />
        <AccountActions {...props} />
      </div>
      <div className="xl:hidden">
        <AccountMenu {...props} />
      </div>
    </div>
  )
}

function NextCandle({ place }: { readonly place: Place }) {
  const market = useMarketStatus(place.instrument?.slug)
  return (
    <span className="group flex min-w-0 items-center gap-2 whitespace-nowrap text-text-2">
      <span className="max-[22rem]:hidden group-has-[[data-market=closed]]:hidden">{marketText.nextCandle}</span>
      <CountdownClock timeframe={place.shown} sessionClass={useShownHours(place)} clockOffsetMs={market?.clockOffsetMs ?? serverOffsetMs} />
      <span
        data-testid="timeframe-label"
        className="rounded-control border border-line-strong px-1 text-11 leading-4 font-medium text-text-2 max-[22rem]:group-has-[[data-market=closed]]:hidden"
      >
        {timeframeLabel(place.shown)}
      </span>
    </span>
  )
}

/** Small screens: button that opens the account sheet. */
function AccountMenu(props: AccountProps) {
  return <MenuButton label={marketText.menu}>{(state) => <lazyPanels.account.Panel {...props} {...state} />}</MenuButton>
}
