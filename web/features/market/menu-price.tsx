// The last price of an instrument in the menu, with its change and the label that says what kind of price it is.
import type { Instrument } from '#shared/market/instruments.ts'
import { badgesLine, feedBadges } from '#shared/market/market-badges.ts'
import { classes } from '#web/lib/classes.ts'
import { formatChange } from '#web/lib/format.ts'
import { Num } from '#web/ui/number.tsx'
import type { MenuPrice } from './live/menu-prices.ts'
import { priceText } from './native/price-text.ts'
import { useMarketMoment } from './use-market-moment.ts'

const upOrDown = { up: 'text-up', down: 'text-down', same: 'text-text-2' } as const

export function MenuPriceText({ instrument, price }: { readonly instrument: Instrument; readonly price: MenuPrice }) {
  const { changePercent } = price
  const badges = feedBadges(price, useMarketMoment())
  const direction = changePercent === null || changePercent === 0 ? 'same' : changePercent > 0 ? 'up' : 'down'
  return (
    <span
      data-testid="menu-price"
      className="pointer-events-none flex items-baseline gap-1 px-2 text-11 leading-3 whitespace-nowrap pointer-coarse:px-3"
    >
      <Num className="text-text-2">{priceText(instrument).price(price.price)}</Num>
      {changePercent !== null && <Num className={classes(upOrDown[direction])}>{formatChange(changePercent)}</Num>}
      <span className="text-text-3" title={badgesLine(badges)}>
        {badges.map(({ text, shortText = text }) => shortText).join(' ')}
      </span>
    </span>
  )
}
