// The chart page below the shell's bars: the line that says what is shown, and the chart.
import { useState } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { chartPathOf, findInstrument, freeSlug, type Instrument } from '#shared/market/instruments.ts'
import { Chart } from './chart.tsx'
import { ChartBar, FreshnessBadge } from './chart-bar.tsx'
import type { Stage } from './chart-stage.tsx'
import { Attribution } from './provider-link.tsx'
import type { Place } from './use-place.ts'

const limitTexts = { 'daily-only': marketText.dailyOnly, 'end-of-day': marketText.endOfDay } as const

const freeInstrument = findInstrument(freeSlug)

export interface ChartPanelProps {
  readonly instrument: Instrument
  readonly place: Place
  readonly isPremium: boolean
  readonly onWantPremium: () => void
}

export function ChartPanel({ instrument, place, isPremium, onWantPremium }: ChartPanelProps) {
  const [stage, setStage] = useState<Stage>('loading')
  const isUnlocked = instrument.isFree || isPremium
  const hasChart = isUnlocked && instrument.widget !== 'none' && (stage === 'loading' || stage === 'shown')
  return (
    <div className="flex size-full min-h-0 flex-col">
      <ChartBar
        instrument={instrument}
        badge={hasChart ? <FreshnessBadge widget={instrument.widget} /> : null}
        limitText={place.limit === undefined || !isUnlocked ? undefined : limitTexts[place.limit]}
        attribution={hasChart ? <Attribution symbol={instrument.symbol} /> : null}
      />
      <div className="relative min-h-0 flex-1">
        <Chart
          instrument={instrument}
          timeframe={place.shown}
          isPremium={isPremium}
          onStage={setStage}
          onWantPremium={onWantPremium}
          freeChart={(freeInstrument === undefined ? '/' : chartPathOf(freeInstrument)) + place.search}
        />
      </div>
    </div>
  )
}
