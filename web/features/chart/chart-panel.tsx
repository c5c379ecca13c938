// Chart page below the app shell's header: toolbar and chart.
import { useState } from 'react'
import type { ChartChoice } from '#shared/chart/chart-choice.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { chartPathOf, findInstrument, freeSlug, type Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { cn } from '#web/lib/cn.ts'
import { Chart } from './chart.tsx'
import { ChartBar, ChartNotes } from './chart-bar.tsx'
import type { Stage } from './chart-stage.tsx'
import { ConditionBadge } from './market-status-badge.tsx'
import { Attribution, LibraryAttribution } from './provider-link.tsx'
import { ToolRail } from './tool-rail.tsx'
import { useMarketStatus, type MarketStatus } from '#web/features/market-data/market-status.ts'
import { useInstrumentChart } from './use-engine.ts'
import { useCell } from './cell-context.ts'
import { useToolSlot } from './tool-slot.ts'
import { useShown } from './use-chart-route.ts'
import { useNotePrices, useProvider } from './use-provider.ts'
import { WidgetBadge } from './widget-badge.tsx'

const limitTexts = {
  'daily-only': marketText.dailyOnly,
  'end-of-day': marketText.endOfDay,
  'substitute-end-of-day': marketText.substituteEndOfDay,
} as const

const freeInstrument = findInstrument(freeSlug)

export interface ChartPanelProps {
  readonly instrument: Instrument
  /** As requested; not every instrument has every timeframe. */
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  readonly isAdmin: boolean
  readonly onWantPremium: () => void
}

export function ChartPanel({ instrument, timeframe, isPremium, isAdmin, onWantPremium }: ChartPanelProps) {
  const place = useShown(instrument, timeframe)
  const [stage, setStage] = useState<Stage>('loading')
  const [toolSlot, setToolSlot] = useState<HTMLDivElement | null>(null)
  const [toolRail, setToolRail] = useState<HTMLDivElement | null>(null)
  const phoneSlot = useToolSlot()
  const isUnlocked = instrument.isFree || isPremium
  const { choice } = place
  const isWidget = choice.engine === 'widget'
  const isActive = useCell()?.isActive !== false
  const hasChart = isUnlocked && choice.engine !== 'none' && (stage === 'loading' || stage === 'shown')
  const { chooseOnline, chooseOffline } = useInstrumentChart(instrument)
  const market = useMarketStatus(instrument.slug)
  const hasPrices = market?.condition.label !== null
  const isPreferred = isUnlocked && chooseOnline(timeframe).engine === 'widget'
  useProvider({ slug: instrument.slug, timeframe, isPreferred, isReplaced: choice.engine === 'native' && hasPrices })
  useNotePrices(instrument.slug, market)
  const badge = hasChart ? <ChartBadge instrument={instrument} choice={choice} stage={stage} market={market} isAdmin={isAdmin} /> : null
  // The bar of a phone has no room for the name of a substitute.
  const isBadgeBelow = phoneSlot !== undefined && proxyOf(choice, market) !== null
  const notes = <Notes instrument={instrument} place={place} isUnlocked={isUnlocked} />
  return (
    <div className="flex size-full min-h-0 flex-col bg-canvas">
      <ChartBar
        instrument={instrument}
        timeframe={place.shown}
        badge={isBadgeBelow ? null : badge}
        attribution={!hasChart ? null : isWidget ? <Attribution symbol={choice.symbol} /> : <LibraryAttribution />}
        toolSlot={setToolSlot}
        hasEngineChoice={isUnlocked}
        notes={notes}
      />
      {isBadgeBelow && <div className="border-b border-line px-3 py-1 empty:hidden">{badge}</div>}
      {hasChart && !isWidget && hasPrices && isActive && <ToolRail place={setToolRail} />}
      {/* An iframe swallows pointer events, and touch users must be able to scroll past an inactive chart. */}
      <div
        className={cn(
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
          toolSlot={phoneSlot === undefined ? toolSlot : phoneSlot}
          toolRail={toolRail}
        />
      </div>
      {phoneSlot !== undefined && <div className="border-t border-line px-3 pt-1 empty:hidden">{notes}</div>}
    </div>
  )
}

interface ChartBadgeProps {
  readonly instrument: Instrument
  readonly choice: ChartChoice
  readonly stage: Stage
  readonly market: MarketStatus | undefined
  readonly isAdmin: boolean
}

function ChartBadge({ instrument, choice, stage, market, isAdmin }: ChartBadgeProps) {
  if (choice.engine === 'widget') return <WidgetBadge instrument={instrument} stage={stage} choice={choice} />
  return <ConditionBadge market={market} isAdmin={isAdmin} />
}

function proxyOf(choice: ChartChoice, market: MarketStatus | undefined): string | null {
  return choice.engine === 'widget' ? choice.proxy : (market?.condition.label?.proxy ?? null)
}

interface NotesProps {
  readonly instrument: Instrument
  readonly place: ReturnType<typeof useShown>
  readonly isUnlocked: boolean
}

function Notes({ instrument, place: { limit, choice }, isUnlocked }: NotesProps) {
  const limitText = limit === undefined || !isUnlocked ? undefined : limitTexts[limit]
  return <ChartNotes instrument={instrument} limitText={limitText} isOwnChart={isUnlocked && choice.engine === 'native'} />
}
