// Workspace buttons in the menu row and their dialogs: search (Ctrl K), layouts, candle alarm.
import { useEffect, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { chartPathOf, findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { shortcutsText } from '#shared/chart/text/en-shortcuts.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import type { Screen } from '#shared/workspace/screen.ts'
import { useHiddenInstruments } from '#web/features/instruments/api.ts'
import type { Place } from '#web/features/chart/use-chart-route.ts'
import { usePreferences } from '#web/lib/preferences.ts'
import { BellIcon, BellRingIcon, KeyboardIcon, LayoutGridIcon, SearchIcon } from '#web/ui/icon.ts'
import type { ChartGrid } from './use-chart-grid.ts'
import { lazyPanels } from './lazy-panels.tsx'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const

type Panel = 'search' | 'layouts' | 'alarm' | 'shortcuts'

export interface WorkspacePanels {
  readonly open: Panel | undefined
  readonly show: (panel: Panel | undefined) => void
}

/** Ctrl K (or Cmd K) toggles the search everywhere. */
export function useWorkspacePanels(): WorkspacePanels {
  const [open, show] = useState<Panel>()
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      show((panel) => (panel === 'search' ? undefined : 'search'))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { open, show }
}

export function SearchTool({ panels }: { readonly panels: WorkspacePanels }) {
  return (
    <ToolButton
      label={workspaceText.search}
      title={workspaceText.searchShortcut}
      aria-keyshortcuts="Control+K"
      onClick={() => panels.show('search')}
    >
      <SearchIcon {...icon} />
    </ToolButton>
  )
}

export function WorkspaceTools({ panels }: { readonly panels: WorkspacePanels }) {
  const alarm = usePreferences(({ workspace }) => workspace.alarm)
  return (
    <>
      <ToolButton label={workspaceText.layouts} onClick={() => panels.show('layouts')}>
        <LayoutGridIcon {...icon} />
      </ToolButton>
      <ToolButton
        label={workspaceText.alarm}
        title={alarm.isOn ? workspaceText.alarmOnTitle : workspaceText.alarm}
        onClick={() => panels.show('alarm')}
      >
        {alarm.isOn ? <BellRingIcon {...icon} className="size-3.5 text-accent" /> : <BellIcon {...icon} />}
      </ToolButton>
      <ToolButton label={shortcutsText.title} title={shortcutsText.openTitle} onClick={() => panels.show('shortcuts')}>
        <KeyboardIcon {...icon} />
      </ToolButton>
    </>
  )
}

/** For the chart area only: a single character must not be taken from a field, nor from speech input elsewhere. */
export function showsShortcuts({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>): boolean {
  const isElsewhere = target instanceof Element && target.closest('input:not([type=radio]), select, textarea, [role=dialog]') !== null
  return key === '?' && !ctrlKey && !metaKey && !altKey && !isElsewhere
}

function ToolButton({ label, title = label, ...rest }: ComponentProps<'button'> & { readonly label: string }) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={title}
      className="grid h-full min-w-7 shrink-0 place-items-center text-text-2 transition-colors hover:text-text focus-visible:-outline-offset-2 pointer-coarse:min-w-11"
    />
  )
}

export interface WorkspaceDialogsProps {
  readonly panels: WorkspacePanels
  readonly place: Place
  readonly grid: ChartGrid
  readonly isPremium: boolean
  readonly onWantPremium: () => void
}

export function WorkspaceDialogs({ panels, place, grid, isPremium, onWantPremium }: WorkspaceDialogsProps) {
  const navigate = useNavigate()
  const hidden = useHiddenInstruments()
  const close = () => panels.show(undefined)
  const goTo = (instrument: Instrument, search: string) => void navigate(chartPathOf(instrument) + search)
  const openLayout = (screen: Screen) => {
    const active = findInstrument(screen.charts[screen.active]?.slug ?? '')
    if (active?.isFree !== true && !isPremium) onWantPremium()
    else grid.open(screen)
  }
  return (
    <>
      <lazyPanels.search.Panel
        isOpen={panels.open === 'search'}
        onClose={close}
        hidden={hidden}
        isPremium={isPremium}
        onOpen={(instrument) => goTo(instrument, place.search)}
        onWantPremium={onWantPremium}
      />
      <lazyPanels.layouts.Panel
        isOpen={panels.open === 'layouts'}
        onClose={close}
        screen={grid.screen}
        onGrid={(size) => {
          if (isPremium || size === 1) return grid.setGrid(size)
          close()
          onWantPremium()
        }}
        onLinks={grid.setLinks}
        onOpen={openLayout}
      />
      <lazyPanels.alarm.Panel isOpen={panels.open === 'alarm'} onClose={close} />
      <lazyPanels.shortcuts.Panel isOpen={panels.open === 'shortcuts'} onClose={close} />
    </>
  )
}
