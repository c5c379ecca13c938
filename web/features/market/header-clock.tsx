// The date and the 12-hour clock of the header; of the whole page only these two texts and the countdown tick.
import { clockTexts } from '#shared/market/clock.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Num } from '#web/ui/number.tsx'
import { browserZone } from './browser-zone.ts'

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
    <Num data-testid="clock" title={browserZone} className="whitespace-nowrap">
      {time}
    </Num>
  )
}
