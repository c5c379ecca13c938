// The time that the candle on the screen still has; renders itself each second and nothing around it.
import { countdown } from '#shared/market/countdown.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { marketText } from '#shared/text/en/market.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Num } from '#web/ui/number.tsx'
import { browserZone } from './browser-zone.ts'

export function CountdownClock({ timeframe }: { readonly timeframe: Timeframe }) {
  const { text } = countdown(timeframe, useNow(), browserZone)
  return (
    // Read out on request only: a screen reader that speaks every second is unusable.
    <Num
      role="timer"
      aria-live="off"
      aria-label={marketText.nextCandle}
      data-testid="countdown"
      className="text-14 font-semibold whitespace-nowrap text-text"
    >
      {text}
    </Num>
  )
}
