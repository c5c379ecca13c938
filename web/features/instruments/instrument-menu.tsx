// Instruments of a group as one row of links and one tab stop; disabled with a hint for free users.
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { Link } from 'react-router'
import { chartPathOf, menuOf, type Group, type Instrument } from '#shared/instruments/instruments.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { cn } from '#web/lib/cn.ts'
import type { MenuPrice } from '#web/features/market-data/menu-prices.ts'
import { useHiddenInstruments } from './api.ts'
import { LockIcon } from '#web/ui/icon.ts'
import { ScrollRow } from '#web/ui/scroll-row.tsx'
import { toast } from '#web/lib/toast.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useRovingFocus } from '#web/ui/use-roving-focus.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badge.ts'
import { formatChange } from '#shared/base/format-number.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { priceText } from '#web/features/market-data/price-text.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'

export interface InstrumentMenuProps {
  readonly group: Group
  readonly current: Instrument | undefined
  readonly search: string
  readonly isPremium: boolean
  /** Last prices by slug, for users with access. */
  readonly prices?: ReadonlyMap<string, MenuPrice>
  /** Rendered before an instrument, for example its star. */
  readonly starOf?: (instrument: Instrument) => ReactNode
}

export function InstrumentMenu({ group, current, search, isPremium, prices, starOf }: InstrumentMenuProps) {
  const isLocked = !isPremium
  const list = useRef<HTMLUListElement>(null)
  const currentSlug = current?.slug
  const hidden = useHiddenInstruments()
  const roving = useRovingFocus(list)
  useEffect(() => {
    list.current?.querySelector(`[data-slug="${currentSlug}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [currentSlug])
  return (
    <nav aria-label={marketText.instruments} className="h-full min-w-0 flex-1">
      <ScrollRow>
        <ul ref={list} {...roving} className="flex h-full items-stretch">
          {menuOf(group, hidden).map((instrument) => {
            const price = prices?.get(instrument.slug)
            return (
              <li key={instrument.slug} data-slug={instrument.slug} className="group/row flex shrink-0 items-stretch">
                {starOf?.(instrument)}
                <div
                  className={cn(
                    'relative',
                    !isLocked && minWidths[group],
                    price !== undefined && 'grid grid-cols-[auto_1fr] grid-rows-[auto_auto] content-center',
                  )}
                >
                  <InstrumentLink
                    instrument={instrument}
                    isCurrent={instrument.slug === currentSlug}
                    search={search}
                    isLocked={isLocked}
                    hasPrice={price !== undefined}
                  />
                  {price !== undefined && <MenuPriceText instrument={instrument} price={price} />}
                </div>
              </li>
            )
          })}
        </ul>
      </ScrollRow>
    </nav>
  )
}

/** Room for name, label, price and change, so that nothing moves when prices arrive. */
const minWidths: Readonly<Record<Group, string>> = {
  FOREX: 'min-w-30 pointer-coarse:min-w-32',
  CRYPTO: 'min-w-32 pointer-coarse:min-w-34',
  FUTURE: 'min-w-32 pointer-coarse:min-w-34',
  STOCKS: 'min-w-38 pointer-coarse:min-w-40',
}

interface InstrumentLinkProps {
  readonly instrument: Instrument
  readonly isCurrent: boolean
  readonly search: string
  readonly isLocked: boolean
  /** A second line with the price, which is part of the click target. */
  readonly hasPrice: boolean
}

function InstrumentLink({ instrument, isCurrent, search, isLocked, hasPrice }: InstrumentLinkProps) {
  const linkClass = cn(
    'flex items-center gap-1 px-2 text-12 whitespace-nowrap transition-colors pointer-coarse:px-3 focus-visible:-outline-offset-2',
    hasPrice ? 'col-start-1 row-start-1 leading-3.5 before:absolute before:inset-0' : 'relative h-full',
    isCurrent && 'font-semibold after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:bg-accent',
    isLocked ? 'text-text-3' : isCurrent ? 'text-text' : 'text-text-2 hover:text-text',
  )
  const current = isCurrent ? 'page' : undefined
  if (!isLocked)
    return (
      <Link to={chartPathOf(instrument) + search} aria-current={current} className={linkClass}>
        {instrument.label}
      </Link>
    )
  return (
    <Tooltip text={marketText.premiumRequired}>
      <a {...lockedLink} aria-current={current} className={linkClass}>
        <LockIcon aria-hidden className="size-2.5" strokeWidth={2} />
        {instrument.label}
      </a>
    </Tooltip>
  )
}

/** Without href no click and no new tab leads anywhere; still focusable, so that the hint can be read. */
const lockedLink: ComponentProps<'a'> = {
  role: 'link',
  tabIndex: 0,
  'aria-disabled': true,
  onClick: notifyLocked,
  onKeyDown: (event) => {
    if (event.key === 'Enter') notifyLocked()
  },
}

/** Touch screens have no hover: a tap shows the tooltip's text. */
function notifyLocked(): void {
  toast({ kind: 'info', text: marketText.premiumRequired })
}

const upOrDown = { up: 'text-up', down: 'text-down', same: 'text-text-2' } as const

/** Last price of an instrument in the menu, with its change and data label. */
export function MenuPriceText({ instrument, price }: { readonly instrument: Instrument; readonly price: MenuPrice }) {
  const { changePercent } = price
  const badges = feedBadges(price, useMarketMoment())
  const direction = changePercent === null || changePercent === 0 ? 'same' : changePercent > 0 ? 'up' : 'down'
  return (
    <span
      data-testid="menu-price"
      className="pointer-events-none col-span-2 col-start-1 row-span-2 row-start-1 grid grid-cols-subgrid grid-rows-subgrid text-11 leading-3 whitespace-nowrap"
    >
      <span className="col-span-2 row-start-2 flex items-baseline gap-1 px-2 pointer-coarse:px-3">
        <NumericText className="text-text-2">{priceText(instrument).price(price.price)}</NumericText>
        {changePercent !== null && <NumericText className={cn(upOrDown[direction])}>{formatChange(changePercent)}</NumericText>}
      </span>
      <span className="col-start-2 row-start-1 self-center justify-self-end pr-2 text-text-3" title={badgesLine(badges)}>
        {badges.map(({ text, shortText = text }) => shortText).join(' ')}
      </span>
    </span>
  )
}
