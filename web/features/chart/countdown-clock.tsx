// Time until the candle closes or the market opens; re-renders itself every second without its parents.
import { shownCountdown } from '#shared/candles/candle-countdown.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { cn } from '#web/lib/cn.ts'
import { useNow } from '#web/lib/use-now.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { browserZone } from '#web/features/market-data/browser-zone.ts'

interface CountdownClockProps {
  readonly timeframe: Timeframe
  /** Without one the candle closes by the browser's clock. */
  readonly sessionClass?: SessionClass | undefined
  /** Server clock minus browser clock, read each second; the countdown on the price scale reads it too. */
  readonly clockOffsetMs?: (() => number) | undefined
}

export function CountdownClock({ timeframe, sessionClass, clockOffsetMs }: CountdownClockProps) {
  const nowMs = useNow() + (clockOffsetMs?.() ?? 0)
  const state = shownCountdown(sessionClass, timeframe, { nowMs, zone: browserZone })
  const isClosed = state.kind === 'closed'
  return (
    // No live region: a screen reader that speaks every second is unusable.
    <NumericText
      role="timer"
      aria-live="off"
      aria-label={isClosed ? marketText.marketHours : marketText.nextCandle}
      data-testid="countdown"
      data-market={state.kind}
      title={isClosed && state.reason !== null ? marketText.marketHoliday(state.reason) : undefined}
      // Fixed width while closed, so that the change from weekday to countdown causes no layout shift.
      className={cn(
        'text-14 font-semibold',
        isClosed
          ? 'inline-block min-w-44 text-text-2 max-md:leading-4 max-md:whitespace-normal max-[22rem]:min-w-0 max-[22rem]:text-12'
          : 'whitespace-nowrap text-text',
      )}
    >
      {state.text}
    </NumericText>
  )
}
