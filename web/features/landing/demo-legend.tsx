// Open, high, low and close of the candle under the pointer, at the top left of the chart.
import { formatChange, formatNumber } from '#shared/base/format-number.ts'
import { landingText } from '#shared/text/en/landing.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import type { DemoMarket } from './demo-markets.ts'
import type { DemoCandle } from './generate-candles.ts'

export interface DemoLegendProps {
  readonly market: DemoMarket
  readonly candle: DemoCandle
}

/** Decorative: the figures are sample data, so they are hidden from screen readers. */
export function DemoLegend({ market, candle }: DemoLegendProps) {
  const change = (candle.close / candle.open - 1) * 100
  const parts = [
    [landingText.open, candle.open],
    [landingText.high, candle.high],
    [landingText.low, candle.low],
    [landingText.close, candle.close],
  ] as const
  return (
    <div aria-hidden className="pointer-events-none absolute top-2 left-3 flex flex-wrap items-baseline gap-x-3 text-11 text-text-3">
      {parts.map(([letter, value], index) => (
        <span key={letter} className={index < 3 ? 'max-sm:hidden' : undefined}>
          {letter} <NumericText className="text-text-2">{formatNumber(value, market.decimals, market.locale)}</NumericText>
        </span>
      ))}
      <NumericText className={change >= 0 ? 'text-up' : 'text-down'}>{formatChange(change)}</NumericText>
    </div>
  )
}
