// Live countdown of the landing page. Before React runs, web/start.ts writes it into the same element.
import { useNow } from '#web/lib/use-now.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { countdownText } from './demo-countdown.ts'

export interface DemoClockProps {
  readonly minutes: number
  readonly className?: string
}

export function DemoClock({ minutes, className }: DemoClockProps) {
  return (
    <NumericText data-countdown={minutes} suppressHydrationWarning className={className}>
      {countdownText(minutes, useNow())}
    </NumericText>
  )
}
