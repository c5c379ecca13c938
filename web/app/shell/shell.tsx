// Layout of the chart screens: header, menu, the chart, and the panels over it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate, Link } from 'react-router'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { useUser } from '#web/features/auth/api.ts'
import { CellContext } from '#web/features/chart/cell-context.ts'
import { ToolSlotContext } from '#web/features/chart/tool-slot.ts'
import { usePlace, searchOf, type Place } from '#web/features/chart/use-chart-route.ts'
import { cn } from '#web/lib/cn.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { usePanelsSoon } from '#web/ui/fetched-panel.tsx'
import { gridCell } from './grid-cell.ts'
import { MenuRow, PhoneBar } from './menu-row.tsx'
import { lazyPanels } from './lazy-panels.tsx'
import type { ShellContext } from './shell-context.ts'
import { useChartGrid } from './use-chart-grid.ts'
import { showsShortcuts, useWorkspacePanels, WorkspaceDialogs } from './workspace-tools.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { site } from '#web/lib/site.ts'
import { chartPathOf, findInstrument } from '#shared/instruments/instruments.ts'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
import { useMarketStatus } from '#web/features/market-data/market-status.ts'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { useShownHours } from '#web/features/chart/use-shown-hours.ts'
import { useCloseAlarm } from '#web/features/workspace/use-close-alarm.ts'
import { useLastChart } from '#web/features/workspace/use-last-chart.ts'
import { paths } from '../paths.ts'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { CountdownClock } from '#web/features/chart/countdown-clock.tsx'
import { HeaderDate, HeaderTime } from '#web/features/chart/header-clock.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { AccountActions, SupportLink, type AccountProps } from './account-actions.tsx'
import { UserBadge } from './user-badge.tsx'
import { MenuButton } from './menu-button.tsx'

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

interface WorkspaceSyncProps {
  readonly userId: string
  readonly place: Place
  readonly isPremium: boolean
  /** The workspace has loaded and its chart is on the screen. */
  readonly onArrive: () => void
}

/** Renders nothing, so that its updates re-render nothing else. */
function WorkspaceSync({ userId, place, isPremium, onArrive }: WorkspaceSyncProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { instrument, chosen, shown } = place
  const market = useMarketStatus(instrument?.slug)
  const sessionClass = useShownHours(place)
  const onRestore = useCallback(
    ({ slug, timeframe }: ChartPlace) => {
      const last = findInstrument(slug)
      // Never restore a chart that would be locked.
      if (last === undefined || !(last.isFree || isPremium)) return false
      void navigate(chartPathOf(last) + searchOf(timeframe), { replace: true })
      return true
    },
    [isPremium, navigate],
  )
  const slug = instrument?.slug
  useLastChart({
    userId,
    place: slug === undefined ? undefined : { slug, timeframe: chosen },
    isBare: pathname === paths.home && search === '',
    onRestore,
    onArrive,
  })
  useCloseAlarm(
    instrument === undefined
      ? undefined
      : {
          label: instrument.label,
          timeframe: shown,
          sessionClass,
          clockOffsetMs: market?.clockOffsetMs ?? serverOffsetMs,
        },
  )
  return null
}

interface HeaderBarProps extends AccountProps {
  readonly place: Place
}

function HeaderBar(props: HeaderBarProps) {
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
