// Date and 12-hour clock of the header; only these two texts re-render on a tick.
import { clockTexts } from '#shared/base/clock.ts'
import { useNow } from '#web/lib/use-now.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { browserZone } from '#web/features/market-data/browser-zone.ts'

export function HeaderDate() {
  const { date, isoDate } = clockTexts(useNow(), browserZone)
  return (
    <time dateTime={isoDate} data-testid="date" className="whitespace-nowrap text-text-2">
      {date}
    </time>
  )
}

export function HeaderTime() {
  const { time } = clockTexts(useNow(), browserZone)
  return (
    <NumericText data-testid="clock" title={browserZone} className="whitespace-nowrap">
      {time}
    </NumericText>
  )
}
