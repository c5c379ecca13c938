// The chart page below the shell's bars: the line that says what is shown, and the chart.
import { useState } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { chartPathOf, findInstrument, freeSlug, type Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { classes } from '#web/lib/classes.ts'
import { Chart } from './chart.tsx'
import { ChartBar, FreshnessBadge } from './chart-bar.tsx'
import type { Stage } from './chart-stage.tsx'
import { ConditionBadge } from './condition-badge.tsx'
import { Attribution, LibraryAttribution } from './provider-link.tsx'
import { useShownMarket } from './shown-market.ts'
import { useShown } from './use-place.ts'

const limitTexts = { 'daily-only': marketText.dailyOnly, 'end-of-day': marketText.endOfDay } as const

const freeInstrument = findInstrument(freeSlug)

export interface ChartPanelProps {
  readonly instrument: Instrument
  /** As it was chosen; not every instrument has every one. */
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly onWantPremium: () => void
}

export function ChartPanel({ instrument, timeframe, isPremium, onWantPremium }: ChartPanelProps) {
  const place = useShown(instrument, timeframe)
  const [stage, setStage] = useState<Stage>('loading')
  const [toolSlot, setToolSlot] = useState<HTMLDivElement | null>(null)
  const market = useShownMarket(instrument.slug)
  const isUnlocked = instrument.isFree || isPremium
  const isWidget = place.engine === 'widget'
  const hasChart = isUnlocked && (stage === 'loading' || stage === 'shown')
  const widget = instrument.widget === 'none' ? 'live' : instrument.widget
  return (
    <div className="flex size-full min-h-0 flex-col bg-canvas">
      <ChartBar
        instrument={instrument}
        timeframe={place.shown}
        badge={!hasChart ? null : isWidget ? <FreshnessBadge widget={widget} /> : <ConditionBadge market={market} />}
        limitText={place.limit === undefined || !isUnlocked ? undefined : limitTexts[place.limit]}
        attribution={!hasChart ? null : isWidget ? <Attribution symbol={instrument.symbol} /> : <LibraryAttribution />}
        toolSlot={setToolSlot}
        hasEngineChoice={isUnlocked}
        hasOwnTools={!isWidget}
      />
      {/* A frame hides what is pressed in it, and a finger has to scroll past a chart that it has not chosen. */}
      <div
        className={classes(
          'relative min-h-0 flex-1',
          isWidget ? 'in-data-idle:pointer-events-none' : 'pointer-coarse:in-data-idle:pointer-events-none',
        )}
      >
        <Chart
          instrument={instrument}
          timeframe={place.shown}
          engine={place.engine}
          isPremium={isPremium}
          onStage={setStage}
          onWantPremium={onWantPremium}
          freeChart={(freeInstrument === undefined ? '/' : chartPathOf(freeInstrument)) + place.search}
          toolSlot={toolSlot}
        />
      </div>
    </div>
  )
}
