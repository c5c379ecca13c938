// The chart page below the shell's bars: the line that says what is shown, and the chart.
import { useEffect, useState } from 'react'
import { liveText } from '#shared/text/en/live.ts'
import { marketText } from '#shared/text/en/market.ts'
import { chartPathOf, findInstrument, freeSlug, type Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { classes } from '#web/lib/classes.ts'
import { Chart } from './chart.tsx'
import { ChartBar } from './chart-bar.tsx'
import type { Stage } from './chart-stage.tsx'
import { ConditionBadge } from './condition-badge.tsx'
import { notePrices } from './chart-failures.ts'
import { useIsListed } from './chart-listings.ts'
import { Attribution, LibraryAttribution } from './provider-link.tsx'
import { noteOpened, useNeedsWidget, useStartReach } from './reach.ts'
import { useShownMarket } from './shown-market.ts'
import { useEnginePreference, useInstrumentChart } from './use-engine.ts'
import { useShown } from './use-place.ts'
import { WidgetBadge } from './widget-badge.tsx'

const limitTexts = {
  'daily-only': marketText.dailyOnly,
  'end-of-day': marketText.endOfDay,
  'substitute-end-of-day': marketText.substituteEndOfDay,
} as const

const freeInstrument = findInstrument(freeSlug)

export interface ChartPanelProps {
  readonly instrument: Instrument
  /** As it was chosen; not every instrument has every one. */
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly isAdmin: boolean
  readonly onWantPremium: () => void
}

export function ChartPanel({ instrument, timeframe, isPremium, isAdmin, onWantPremium }: ChartPanelProps) {
  const place = useShown(instrument, timeframe)
  const [stage, setStage] = useState<Stage>('loading')
  const [toolSlot, setToolSlot] = useState<HTMLDivElement | null>(null)
  const market = useShownMarket(instrument.slug)
  const isUnlocked = instrument.isFree || isPremium
  const { choice } = place
  const isWidget = choice.engine === 'widget'
  const hasChart = isUnlocked && choice.engine !== 'none' && (stage === 'loading' || stage === 'shown')
  const { chooseOnline, chooseOffline } = useInstrumentChart(instrument)
  const isListed = useIsListed(instrument.slug)
  const isAutomatic = useEnginePreference() === 'automatic'
  const wantsWidget = isUnlocked && isListed && chooseOnline(timeframe).engine === 'widget'
  useStartReach(wantsWidget)
  useNeedsWidget(wantsWidget && isAutomatic)
  useEffect(() => noteOpened(`${instrument.slug} ${timeframe}`), [instrument.slug, timeframe])
  const condition = market?.condition
  const hasPrices = condition === undefined || condition.reason === liveText.starting ? undefined : condition.label !== null
  useEffect(() => {
    if (hasPrices !== undefined) notePrices(instrument.slug, hasPrices)
  }, [instrument.slug, hasPrices])
  return (
    <div className="flex size-full min-h-0 flex-col bg-canvas">
      <ChartBar
        instrument={instrument}
        timeframe={place.shown}
        badge={
          !hasChart ? null : isWidget ? (
            <WidgetBadge instrument={instrument} stage={stage} carries={choice.support} proxy={choice.proxy} />
          ) : (
            <ConditionBadge market={market} />
          )
        }
        limitText={place.limit === undefined || !isUnlocked ? undefined : limitTexts[place.limit]}
        attribution={!hasChart ? null : isWidget ? <Attribution symbol={choice.symbol} /> : <LibraryAttribution />}
        toolSlot={setToolSlot}
        hasEngineChoice={isUnlocked}
        hasOwnTools={choice.engine === 'native'}
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
          choice={choice}
          offlineChoice={chooseOffline(timeframe)}
          isPremium={isPremium}
          isAdmin={isAdmin}
          onStage={setStage}
          onWantPremium={onWantPremium}
          freeChart={(freeInstrument === undefined ? '/' : chartPathOf(freeInstrument)) + place.search}
          toolSlot={toolSlot}
        />
      </div>
    </div>
  )
}
