// Selector for the number of charts.
import type { ReactNode } from 'react'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import { gridSizes, type GridSize } from '#shared/workspace/workspace.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { Columns2Icon, Grid2x2Icon, RectangleIcon } from '#web/ui/icon.ts'
import type { ChartGrid } from './use-chart-grid.ts'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

const gridIcons: Readonly<Record<GridSize, ReactNode>> = {
  1: <RectangleIcon {...icon} />,
  2: <Columns2Icon {...icon} />,
  4: <Grid2x2Icon {...icon} />,
}

const GridLinks = fetched(async () => (await import('./grid-links.tsx')).GridLinks, null, HiddenPartFailed)

export interface GridToolsProps {
  readonly grid: ChartGrid
  readonly isPremium: boolean
  readonly onWantPremium: () => void
}

export function GridTools({ grid: { screen, setGrid, setLinks }, isPremium, onWantPremium }: GridToolsProps) {
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
