// The time that the candle on the screen still has, or when its market opens; renders itself each second and nothing around it.
import { countdown } from '#shared/market/countdown.ts'
import { candleCountdown } from '#shared/market/sessions/candle-countdown.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { marketText } from '#shared/text/en/market.ts'
import { classes } from '#web/lib/classes.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Num } from '#web/ui/number.tsx'
import { browserZone } from './browser-zone.ts'

interface CountdownClockProps {
  readonly timeframe: Timeframe
  /** Without one the candle ends on the browser's own clock. */
  readonly sessionClass?: SessionClass | undefined
  /** The server's clock minus the browser's, read each second: the countdown at the chart's axis reads it too. */
  readonly clockOffsetMs?: (() => number) | undefined
}

export function CountdownClock({ timeframe, sessionClass, clockOffsetMs }: CountdownClockProps) {
  const nowMs = useNow() + (clockOffsetMs?.() ?? 0)
  const state =
    sessionClass === undefined
      ? { kind: 'running' as const, ...countdown(timeframe, nowMs, browserZone) }
      : candleCountdown(sessionClass, timeframe, { nowMs, zone: browserZone })
  const isClosed = state.kind === 'closed'
  return (
    // Read out on request only: a screen reader that speaks every second is unusable.
    <Num
      role="timer"
      aria-live="off"
      aria-label={isClosed ? marketText.marketHours : marketText.nextCandle}
      data-testid="countdown"
      data-market={state.kind}
      title={isClosed && state.reason !== null ? marketText.marketHoliday(state.reason) : undefined}
      // Of one width while closed, so that the step from a weekday to the last hour moves nothing beside it.
      className={classes(
        'text-14 font-semibold whitespace-nowrap',
        isClosed ? 'inline-block min-w-44 text-text-2 max-[22rem]:min-w-0 max-[22rem]:text-12' : 'text-text',
      )}
    >
      {state.text}
    </Num>
  )
}
