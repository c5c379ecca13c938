// Sync options of several charts, and shortcuts to switch between them; only loaded for multi-chart layouts.
import { useEffect, type ReactNode } from 'react'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import type { Screen } from '#shared/workspace/screen.ts'
import { ClockIcon, CrosshairIcon, LinkIcon } from '#web/ui/icon.ts'
import type { ChartGrid } from './use-chart-grid.ts'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

type Link = keyof Pick<Screen, 'areSymbolsLinked' | 'areTimeframesLinked' | 'areCrosshairsLinked'>

const links: readonly { readonly name: Link; readonly label: string; readonly picture: ReactNode }[] = [
  { name: 'areSymbolsLinked', label: text.linkSymbols, picture: <LinkIcon {...icon} /> },
  { name: 'areTimeframesLinked', label: text.linkTimeframes, picture: <ClockIcon {...icon} /> },
  { name: 'areCrosshairsLinked', label: text.linkCrosshairs, picture: <CrosshairIcon {...icon} /> },
]

/** On small screens these options are in the layouts dialog. */
export function GridLinks({ screen, setLinks }: Pick<ChartGrid, 'screen' | 'setLinks'>) {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="flex h-full shrink-0 max-lg:hidden">
      {links.map(({ name, label, picture }) => (
        <button
          key={name}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={screen[name]}
          onClick={() => setLinks({ [name]: !screen[name] })}
          className="grid h-full min-w-7 place-items-center text-text-3 transition-colors hover:text-text focus-visible:-outline-offset-2 aria-pressed:text-accent pointer-coarse:min-w-11"
        >
          {picture}
        </button>
      ))}
    </div>
  )
}

const openDialogs = '[role=dialog]:not([data-closed]), [role=alertdialog]:not([data-closed])'

/** Alt plus a number focuses that chart, which makes it active. */
function onKey(event: KeyboardEvent): void {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const number = /^Digit([1-4])$/.exec(event.code)?.[1]
  const cell = number === undefined ? undefined : document.querySelectorAll<HTMLElement>('[data-testid=cell]')[Number(number) - 1]
  // A dialog captures keys until it starts closing.
  const isAway = event.target instanceof Element && event.target.closest(openDialogs) !== null
  if (cell === undefined || isAway) return
  event.preventDefault()
  const chart = cell.querySelector<HTMLElement>('[role=application]') ?? cell
  chart.focus()
}
