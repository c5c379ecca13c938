// Date and 12-hour clock of the header; only these two texts re-render on a tick.
import { clockTexts, zoneName } from '#shared/base/clock-texts.ts'
import { useNow } from '#web/lib/use-now.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'

/** By the server's clock, as the countdown beside it; the minute of a candle is not that of a wrong device. */
function useServerNow(): number {
  return useNow() + serverOffsetMs()
}

export function HeaderDate() {
  const { date, isoDate } = clockTexts(useServerNow(), browserZone)
  return (
    <time dateTime={isoDate} data-testid="date" className="whitespace-nowrap text-text-2">
      {date}
    </time>
  )
}

export function HeaderTime() {
  const nowMs = useServerNow()
  const { time } = clockTexts(nowMs, browserZone)
  return (
    <span className="flex items-baseline gap-1 whitespace-nowrap" title={browserZone}>
      <NumericText data-testid="clock">{time}</NumericText>
      <span className="text-11 text-text-2">{zoneName(browserZone, nowMs)}</span>
    </span>
  )
}
