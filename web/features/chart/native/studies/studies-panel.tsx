// Side panel for studies, with the chart in view: a list of all, and a settings page for each.
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { ChartKind } from '#shared/indicators/lib/study-input.ts'
import { studies } from '#shared/indicators/studies.ts'
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { ArrowLeftIcon, CloseIcon } from '#web/ui/icon.ts'
import { StudyList } from './study-list.tsx'
import { StudyPage } from './study-page.tsx'
import type { StudySwitches } from './use-study-switches.ts'

export type StudiesView = StudyId | 'list'

export interface StudiesPanelProps {
  readonly chart: ChartKind
  readonly switches: StudySwitches
  readonly view: StudiesView
  /** Whether it has just been opened. */
  readonly takeFocus: () => boolean
  readonly onView: (view: StudiesView) => void
  readonly onClose: () => void
}

const icon = { 'aria-hidden': true, className: 'size-4', strokeWidth: 1.5 } as const
const buttonClass =
  'grid size-7 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11'

export function StudiesPanel({ chart, switches, view, takeFocus, onView, onClose }: StudiesPanelProps) {
  const panel = useRef<HTMLElement>(null)
  // Moves the focus to the new page; otherwise it would be on a removed button.
  useEffect(() => {
    if (takeFocus()) panel.current?.focus()
  }, [takeFocus])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  const title = view === 'list' ? text.studies : studies[view].name
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      aria-label={title}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-testid="studies-panel"
      className="max-h-[46%] shrink-0 overflow-y-auto border-line bg-surface focus-visible:-outline-offset-2 max-lg:border-t lg:max-h-none lg:w-80 lg:border-l"
    >
      <header className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-surface py-1.5 pr-2 pl-4">
        {view !== 'list' && (
          <button type="button" aria-label={text.back} title={text.back} onClick={() => onView('list')} className={`-ml-2 ${buttonClass}`}>
            <ArrowLeftIcon {...icon} />
          </button>
        )}
        <h2 className="min-w-0 flex-1 truncate text-14 font-semibold">{title}</h2>
        <button type="button" aria-label={text.close} title={text.close} onClick={onClose} className={buttonClass}>
          <CloseIcon {...icon} />
        </button>
      </header>
      {view === 'list' ? (
        <StudyList switches={switches} onSettings={onView} />
      ) : (
        <StudyPage study={studies[view]} chart={chart} switches={switches} />
      )}
    </section>
  )
}
