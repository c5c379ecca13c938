// Last price of an instrument in the menu, with its change and data label.
import type { Instrument } from '#shared/instruments/instruments.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badge.ts'
import { cn } from '#web/lib/cn.ts'
import { formatChange } from '#shared/base/format-number.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import type { MenuPrice } from '#web/features/market-data/menu-prices.ts'
import { priceText } from '#web/features/market-data/price-text.ts'
import { useMarketMoment } from '#web/features/market-data/use-market-moment.ts'

const upOrDown = { up: 'text-up', down: 'text-down', same: 'text-text-2' } as const

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
