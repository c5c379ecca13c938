// Row below the header: asset group and instruments, and the view tools except on phones, which have them below the chart.
import { useState, type ReactNode, type Ref } from 'react'
import type { Group, Instrument } from '#shared/instruments/instruments.ts'
import { GroupLinks, GroupSelect } from '#web/features/instruments/group-links.tsx'
import { InstrumentMenu } from '#web/features/instruments/instrument-menu.tsx'
import { prepareNext, useNextTimeframe } from '#web/features/chart/prepare-next.ts'
import { TimeframeSelector } from '#web/features/chart/timeframe-selector.tsx'
import { useMenuPrices } from '#web/features/market-data/use-menu-prices.ts'
import type { Place } from '#web/features/chart/use-chart-route.ts'
import { FavouriteStar } from '#web/features/workspace/favourite-star.tsx'
import { ScrollRow } from '#web/ui/scroll-row.tsx'
import type { ChartGrid } from './use-chart-grid.ts'
import { SearchTool, WorkspaceTools, type WorkspacePanels } from './workspace-tools.tsx'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import { gridSizes, type GridSize } from '#shared/workspace/workspace.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { Columns2Icon, Grid2x2Icon, RectangleIcon } from '#web/ui/icon.ts'

function starOf(instrument: Instrument): ReactNode {
  return <FavouriteStar instrument={instrument} className="w-4 pointer-coarse:w-9" />
}

interface ViewToolsProps {
  readonly place: Place
  readonly isPremium: boolean
  readonly panels: WorkspacePanels
  readonly grid: ChartGrid
  readonly onWantPremium: () => void
}

/** Two rows on tablets. */
export function MenuRow({ isPhone, ...tools }: ViewToolsProps & { readonly isPhone: boolean }) {
  const { place, isPremium, panels } = tools
  const current = place.instrument?.group ?? undefined
  const group = useGroup(current)
  const prices = useMenuPrices(group, isPremium)
  useNextTimeframe(place, isPremium)
  return (
    <div
      onPointerOver={({ target }) => prepareNext(target, place, isPremium)}
      onFocus={({ target }) => prepareNext(target, place, isPremium)}
      className="shrink-0 border-b border-line bg-surface lg:flex lg:h-7.5 lg:items-stretch lg:px-2 pointer-coarse:lg:h-11"
    >
      <div className="flex h-8 min-w-0 items-stretch lg:h-full lg:flex-1 pointer-coarse:max-lg:h-11">
        <div className="max-lg:hidden">
          <GroupLinks current={current} search={place.search} />
        </div>
        <div className="lg:hidden">
          <GroupSelect current={group} search={place.search} />
        </div>
        <Divider />
        <InstrumentMenu
          group={group}
          current={place.instrument}
          search={place.search}
          isPremium={isPremium}
          prices={prices}
          starOf={starOf}
        />
        <div className="shrink-0">
          <SearchTool panels={panels} />
        </div>
      </div>
      {!isPhone && (
        <>
          <div className="flex max-lg:hidden">
            <Divider />
          </div>
          <ViewTools {...tools} />
        </>
      )}
    </div>
  )
}

/** Timeframes, number of charts, layouts and alarm. */
function ViewTools({ place, isPremium, panels, grid, onWantPremium }: ViewToolsProps) {
  return (
    <div
      onPointerOver={({ target }) => prepareNext(target, place, isPremium)}
      className="h-8 shrink-0 border-line max-lg:border-t max-lg:px-1 lg:h-full pointer-coarse:max-lg:h-11"
    >
      <ScrollRow>
        <div className="flex h-full min-w-full shrink-0 items-stretch">
          <div className="h-full shrink-0 max-lg:grow">
            <TimeframeSelector place={place} />
          </div>
          <GridTools grid={grid} isPremium={isPremium} onWantPremium={onWantPremium} />
          <WorkspaceTools panels={panels} />
        </div>
      </ScrollRow>
    </div>
  )
}

/** Group of the current instrument; an instrument without a group keeps the previous one. */
function useGroup(current: Group | undefined): Group {
  const [last, setLast] = useState<Group>('FOREX')
  if (current !== undefined && current !== last) setLast(current)
  return current ?? last
}

function Divider() {
  return <span aria-hidden className="mx-2 my-2 w-px shrink-0 bg-line max-lg:mx-1" />
}

/** Phones: bar at the bottom of the screen with the tools of the active chart, and below them timeframes and layouts. */
export function PhoneBar({ slot, ...tools }: ViewToolsProps & { readonly slot: Ref<HTMLDivElement> }) {
  return (
    <div data-testid="phone-bar" className="shrink-0 border-t border-line bg-surface">
      {/* A locked chart has no tools. */}
      <div className="h-9 px-1 has-[[data-tools]:empty]:hidden pointer-coarse:h-11">
        <ScrollRow>
          <div ref={slot} data-tools className="flex min-w-full shrink-0 items-center justify-between" />
        </ScrollRow>
      </div>
      <ViewTools {...tools} />
    </div>
  )
}

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

const gridIcons: Readonly<Record<GridSize, ReactNode>> = {
  1: <RectangleIcon {...icon} />,
  2: <Columns2Icon {...icon} />,
  4: <Grid2x2Icon {...icon} />,
}

const GridLinks = fetched(async () => (await import('./grid-links.tsx')).GridLinks, null, HiddenPartFailed)

interface GridToolsProps {
  readonly grid: ChartGrid
  readonly isPremium: boolean
  readonly onWantPremium: () => void
}

function GridTools({ grid: { screen, setGrid, setLinks }, isPremium, onWantPremium }: GridToolsProps) {
  return (
    <>
      <fieldset className="flex h-full shrink-0">
        <legend className="sr-only">{text.layoutCharts}</legend>
        {gridSizes.map((size) => {
          const isLocked = !isPremium && size > 1
          const label = isLocked ? text.gridLocked(text.layoutGrids[size]) : text.layoutGrids[size]
          return (
            <label key={size} title={label} className="relative grid h-full min-w-7 place-items-center pointer-coarse:min-w-11">
              <input
                type="radio"
                name="grid"
                aria-label={label}
                checked={screen.grid === size}
                onChange={() => (isLocked ? onWantPremium() : setGrid(size))}
                className="peer absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <span className="grid size-5.5 place-items-center rounded-control text-text-2 transition-colors peer-checked:bg-hover peer-checked:text-text peer-hover:text-text peer-focus-visible:outline-2 peer-focus-visible:outline-focus pointer-coarse:size-9">
                {gridIcons[size]}
              </span>
            </label>
          )
        })}
      </fieldset>
      {screen.grid > 1 && <GridLinks screen={screen} setLinks={setLinks} />}
    </>
  )
}
