// Layout of the chart screens: header, menu, the chart, and the panels over it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { useUser } from '#web/features/auth/api.ts'
import { CellContext } from '#web/features/chart/cell-context.ts'
import { ToolSlotContext } from '#web/features/chart/tool-slot.ts'
import { usePlace } from '#web/features/chart/use-chart-route.ts'
import { cn } from '#web/lib/cn.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { usePanelsSoon } from '#web/ui/fetched-panel.tsx'
import { gridCell } from './grid-cell.ts'
import { HeaderBar } from './header-bar.tsx'
import { MenuRow, PhoneBar } from './menu-row.tsx'
import { lazyPanels } from './lazy-panels.tsx'
import type { ShellContext } from './shell-context.ts'
import { useChartGrid } from './use-chart-grid.ts'
import { WorkspaceSync } from './workspace-sync.tsx'
import { showsShortcuts, useWorkspacePanels, WorkspaceDialogs } from './workspace-tools.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { site } from '#web/lib/site.ts'

const SubscriptionBanner = fetched(async () => (await import('#web/features/subscriptions/subscription-banner.tsx')).SubscriptionBanner)

const preloadedPanels = Object.values(lazyPanels)

export function Shell() {
  const { user } = useUser()
  useReloadAfterWidgetScript()
  usePanelsSoon(preloadedPanels)
  return user === undefined ? null : <SignedInShell key={user._id} user={user} />
}

/** Provides the active chart's own settings to the whole shell. */
function SignedInShell({ user }: { readonly user: User }) {
  const isPremium = hasPremium(user)
  const grid = useChartGrid(user._id, isPremium)
  return (
    <CellContext value={gridCell(grid, grid.screen.active)}>
      <Frame user={user} isPremium={isPremium} grid={grid} />
    </CellContext>
  )
}

function Frame({ user, isPremium, grid }: Omit<ShellContext, 'openPremium'>) {
  const place = usePlace()
  const offer = usePremiumOffer(lazyPanels.premium.prepare)
  const panels = useWorkspacePanels()
  const [isSettingsOpen, setIsSettingsOpen] = useState(false)
  const closeSettings = useCallback(() => setIsSettingsOpen(false), [])
  const stageArea = useRef<HTMLDivElement>(null)
  const hasSettings = isPremium && isSettingsOpen
  const context: ShellContext = { user, isPremium, openPremium: offer.open, grid }
  const tools = { place, isPremium, panels, grid, onWantPremium: offer.open }
  // On phones the tools are below the chart, where a thumb reaches them and the candles keep their room.
  const isPhone = useMedia('(max-width: 639px)')
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <div className="flex h-page flex-col overflow-hidden bg-canvas low:overflow-y-auto">
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
        <MenuRow {...tools} isPhone={isPhone} />
        {hasSubscriptionLine(user) && <SubscriptionBanner user={user} onOpen={offer.open} />}
      </header>
      <div ref={stageArea} className="relative flex min-h-0 flex-1 low:min-h-80 low:shrink-0">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the chart area reach it from inside */}
        <main
          id={mainId}
          tabIndex={-1}
          onKeyDown={(event) => (showsShortcuts(event) ? panels.show('shortcuts') : undefined)}
          className={cn('flex min-w-0 flex-1 flex-col bg-canvas outline-none', hasSettings && 'lg:mr-80')}
        >
          <ToolSlotContext value={isPhone ? slot : undefined}>
            <div className="min-h-0 flex-1">
              <Outlet context={context} />
            </div>
          </ToolSlotContext>
          {isPhone && <PhoneBar {...tools} slot={setSlot} />}
        </main>
        <lazyPanels.settings.Panel isOpen={hasSettings} onClose={closeSettings} container={stageArea} />
      </div>
      <WorkspaceSync userId={user._id} place={place} isPremium={isPremium} onArrive={grid.onArrive} />
      <WorkspaceDialogs panels={panels} place={place} grid={grid} isPremium={isPremium} onWantPremium={offer.open} />
      {offer.stage === 'loading' && <PremiumOverlay />}
      <lazyPanels.premium.Panel isOpen={offer.stage === 'open'} onClose={offer.close} user={user} />
    </div>
  )
}

/** Others load no code for it. */
function hasSubscriptionLine({ premiumEndDate, status, reason }: User): boolean {
  return premiumEndDate !== null || status === 'pending' || reason !== undefined
}

const mainId = 'chart'

/** Loading overlay shown for one second before the subscription dialog. */
function PremiumOverlay() {
  return (
    <div data-testid="premium-overlay" className="fixed inset-0 z-40 grid place-items-center bg-canvas/75">
      <Spinner className="size-6 text-accent" label={marketText.pleaseWait} />
    </div>
  )
}

const overlayMs = 1000

interface PremiumOffer {
  readonly stage: 'closed' | 'loading' | 'open'
  readonly open: () => void
  readonly close: () => void
}

/** Calls `prepare` when the loading starts. */
function usePremiumOffer(prepare: () => void): PremiumOffer {
  const [stage, setStage] = useState<PremiumOffer['stage']>('closed')
  useEffect(() => {
    if (stage !== 'loading') return undefined
    prepare()
    const timer = setTimeout(() => setStage('open'), overlayMs)
    return () => clearTimeout(timer)
  }, [stage, prepare])
  const [actions] = useState(() => ({ open: () => setStage('loading'), close: () => setStage('closed') }))
  return { stage, ...actions }
}

let reload: ReturnType<typeof setTimeout> | undefined

/** A script outlives its screen: without a reload it could watch the sign-in form or the admin area. */
function useReloadAfterWidgetScript(): void {
  useEffect(() => {
    if (site.tradingViewMount !== 'script') return undefined
    // React may mount twice; that is one visit.
    clearTimeout(reload)
    return () => {
      reload = setTimeout(() => location.reload())
    }
  }, [])
}
