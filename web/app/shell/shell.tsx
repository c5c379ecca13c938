// The frame of every chart: header, menu, the chart itself, and the panels that open over it.
import { useCallback, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { marketText } from '#shared/text/en/market.ts'
import { hasPremium } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { useUser } from '#web/features/auth/api.ts'
import { usePlace } from '#web/features/market/use-place.ts'
import { classes } from '#web/lib/classes.ts'
import { HeaderBar } from './header-bar.tsx'
import { useLeaveScriptBehind } from './leave-script-behind.ts'
import { MenuRow } from './menu-row.tsx'
import { ChartSettingsPanel, PremiumDialog, preparePremium, usePanelsSoon } from './panels.tsx'
import { PremiumOverlay } from './premium-overlay.tsx'
import type { ShellContext } from './shell-context.ts'
import { usePremiumOffer } from './use-premium-offer.ts'

export function Shell() {
  const { user } = useUser()
  useLeaveScriptBehind()
  usePanelsSoon()
  return user === undefined ? null : <SignedInShell user={user} />
}

function SignedInShell({ user }: { readonly user: User }) {
  const place = usePlace()
  const offer = usePremiumOffer(preparePremium)
  const [isSettingsOpen, setIsSettingsOpen] = useState(false)
  const closeSettings = useCallback(() => setIsSettingsOpen(false), [])
  const stageArea = useRef<HTMLDivElement>(null)
  const isPremium = hasPremium(user)
  const hasSettings = isPremium && isSettingsOpen
  const context: ShellContext = { user, isPremium, openPremium: offer.open }
  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-canvas">
      <a href={`#${mainId}`} className="skip-link">
        {marketText.skipToChart}
      </a>
      <header className="shrink-0">
        <HeaderBar
          user={user}
          isPremium={isPremium}
          place={place}
          isSettingsOpen={hasSettings}
          onSettings={() => setIsSettingsOpen((isOpen) => !isOpen)}
          onPremium={offer.open}
        />
        <MenuRow place={place} isPremium={isPremium} />
      </header>
      <div ref={stageArea} className="relative flex min-h-0 flex-1">
        <main id={mainId} tabIndex={-1} className={classes('min-w-0 flex-1 outline-none', hasSettings && 'lg:mr-80')}>
          <Outlet context={context} />
        </main>
        <ChartSettingsPanel isOpen={hasSettings} onClose={closeSettings} container={stageArea} />
      </div>
      {offer.stage === 'loading' && <PremiumOverlay />}
      <PremiumDialog isOpen={offer.stage === 'open'} onClose={offer.close} user={user} />
    </div>
  )
}

const mainId = 'chart'
