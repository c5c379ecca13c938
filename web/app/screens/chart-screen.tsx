// Chart screen at `/` and at every instrument's address.
import { findInstrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { shownCharts } from '#shared/workspace/screen.ts'
import { isIndianMarket } from '#web/features/market-data/price-text.ts'
import { ReachNotice } from '#web/features/chart/reach-notice.tsx'
import { usePlace } from '#web/features/chart/use-chart-route.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { paths } from '../paths.ts'
import { useShell, type ShellContext } from '../shell/shell-context.ts'
import { useState } from 'react'
import { workspaceText } from '#shared/workspace/text/en.ts'
import type { ChartCell } from '#shared/workspace/workspace.ts'
import { CellContext } from '#web/features/chart/cell-context.ts'
import { ChartPanel } from '#web/features/chart/chart-panel.tsx'
import { StudiesPanelContext, useStudiesPanel } from '#web/features/chart/native/studies/use-studies-panel.ts'
import { ToolRailContext } from '#web/features/chart/tool-rail.tsx'
import { cn } from '#web/lib/cn.ts'
import { gridCell } from '../shell/grid-cell.ts'

// Lazy: few users have a broker connection, and the chart must not wait for it.
const BrokerNotice = fetched(async () => (await import('#web/features/brokers/broker-notice.tsx')).BrokerNotice)

export function ChartScreen() {
  const context = useShell()
  const place = usePlace()
  useTitle(place.instrument === undefined ? '' : `${place.instrument.label} ${timeframeLabel(place.shown)}`)
  if (place.instrument === undefined) return null
  return (
    <div className="flex size-full flex-col">
      {/* The candles of a phone keep their place. */}
      <div className="max-sm:order-last">
        <ReachNotice />
        {context.isPremium && hasIndianChart(context) && <BrokerNotice accountPath={paths.account} />}
      </div>
      <div className="min-h-0 flex-1">
        <ChartCells {...context} />
      </div>
    </div>
  )
}

/** Brokers only have prices of Indian exchanges. */
function hasIndianChart({ grid }: ShellContext): boolean {
  return shownCharts(grid.screen).some(({ chart }) => {
    const instrument = findInstrument(chart.slug)
    return instrument !== undefined && isIndianMarket(instrument.sessionClass)
  })
}

/** Minimum readable chart height: in a lower window the page scrolls. */
const rows = 'grid size-full auto-rows-[minmax(18.75rem,1fr)] gap-px overflow-y-auto overscroll-contain bg-line'

const gridClasses = { 1: 'size-full', 2: cn(rows, 'sm:landscape:grid-cols-2'), 4: cn(rows, 'sm:grid-cols-2') } as const

function ChartCells(context: ShellContext) {
  const { screen, first } = context.grid
  const panel = useStudiesPanel()
  const [rail, setRail] = useState<HTMLElement | null>(null)
  return (
    <StudiesPanelContext value={panel}>
      <div className="flex size-full flex-col-reverse sm:flex-row">
        <div ref={setRail} className="shrink-0 empty:hidden" />
        <div className="min-h-0 min-w-0 flex-1">
          <ToolRailContext value={rail}>
            <div className={gridClasses[screen.grid]}>
              {shownCharts(screen).map(({ at, chart }, index) => (
                <Cell key={at === first ? 'first' : at} {...context} at={at} chart={chart} number={index + 1} />
              ))}
            </div>
          </ToolRailContext>
        </div>
      </div>
    </StudiesPanelContext>
  )
}

interface CellProps extends ShellContext {
  readonly at: number
  readonly chart: ChartCell
  /** Counted from 1, as shown on the screen. */
  readonly number: number
}

function Cell({ grid, user, isPremium, openPremium, at, chart, number }: CellProps) {
  const instrument = findInstrument(chart.slug)
  if (instrument === undefined) return null
  const hasOthers = grid.screen.grid > 1
  const isActive = at === grid.screen.active
  const activate = () => grid.activate(at)
  return (
    <section
      aria-label={hasOthers ? workspaceText.chartOfGrid(number, instrument.label) : undefined}
      aria-current={hasOthers && isActive ? 'true' : undefined}
      data-idle={hasOthers && !isActive ? '' : undefined}
      data-many={hasOthers ? '' : undefined}
      data-testid="cell"
      tabIndex={hasOthers ? -1 : undefined}
      onFocusCapture={activate}
      // A touch may be the start of a scroll.
      onPointerDownCapture={(event) => {
        if (event.pointerType === 'mouse') activate()
      }}
      onClickCapture={activate}
      className={cn(
        'relative size-full min-w-0 outline-none',
        hasOthers && isActive && 'after:pointer-events-none after:absolute after:inset-0 after:z-30 after:border after:border-accent/60',
      )}
    >
      <CellContext value={gridCell(grid, at)}>
        <ChartPanel
          instrument={instrument}
          timeframe={chart.timeframe}
          isPremium={isPremium}
          isAdmin={user.role === 'admin'}
          onWantPremium={openPremium}
        />
      </CellContext>
    </section>
  )
}
