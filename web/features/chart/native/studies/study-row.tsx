// Row of one study in the legend: name and values, and on hover or focus buttons to hide, configure and remove it.
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { cn } from '#web/lib/cn.ts'
import { CloseIcon, EyeIcon, EyeOffIcon, InfoIcon, SettingsIcon } from '#web/ui/icon.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { lineClass } from '../legend-classes.ts'
import type { Reading, StudyNote, StudyReading } from './legend-values.ts'

export interface StudyActions {
  readonly settings: (id: StudyId) => void
  readonly hide: (id: StudyId, isHidden: boolean) => void
  readonly remove: (id: StudyId) => void
}

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const
const buttonClass = 'grid size-6 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text'

export interface StudyRowProps {
  readonly study: StudyReading
  readonly actions: StudyActions
  /** On one line, with an icon instead of the note. */
  readonly isLine: boolean
}

export function StudyRow({ study, actions, isLine }: StudyRowProps) {
  const { id, name, summary, isHidden, note } = study
  const Eye = isHidden ? EyeOffIcon : EyeIcon
  const nameClass = cn('min-h-6 items-center gap-1.5 font-medium whitespace-nowrap', isHidden ? 'text-text-3' : 'text-text')
  return (
    // The buttons must stay while the pointer moves to them over the values; touch pans through everything but the name.
    <div
      data-study={id}
      className={cn(
        'group/study pointer-events-auto flex min-h-6 items-center gap-x-2 text-shadow-ground pointer-coarse:pointer-events-none',
        isLine ? lineClass : 'flex-wrap',
      )}
    >
      <span className={cn(nameClass, 'flex pointer-coarse:hidden')}>
        <StudyName study={study} />
      </span>
      <button
        type="button"
        aria-label={text.settingsOf(summary === '' ? name : `${name} ${summary}`)}
        onClick={() => actions.settings(id)}
        className={cn(nameClass, 'pointer-events-auto hidden pointer-coarse:flex pointer-coarse:min-h-8')}
      >
        <StudyName study={study} />
        <SettingsIcon {...icon} />
      </button>
      {note !== undefined && (isLine || note.isIcon) && <NoteIcon text={note.text} />}
      {study.readings.map((reading) => (
        <ReadingText key={reading.label} reading={reading} />
      ))}
      {isHidden && <span className="text-text-3">{text.hidden}</span>}
      <span className="flex opacity-0 transition-opacity group-focus-within/study:opacity-100 group-hover/study:opacity-100 pointer-coarse:hidden">
        <button
          type="button"
          aria-label={isHidden ? text.show(name) : text.hide(name)}
          onClick={() => actions.hide(id, !isHidden)}
          className={buttonClass}
        >
          <Eye {...icon} />
        </button>
        <button type="button" aria-label={text.settingsOf(name)} onClick={() => actions.settings(id)} className={buttonClass}>
          <SettingsIcon {...icon} />
        </button>
        <button type="button" aria-label={text.remove(name)} onClick={() => actions.remove(id)} className={buttonClass}>
          <CloseIcon {...icon} />
        </button>
      </span>
      {note !== undefined && !isLine && !note.isIcon && <NoteText note={note} />}
    </div>
  )
}

function NoteText({ note }: { readonly note: StudyNote }) {
  return (
    <>
      {note.short !== undefined && (
        <span title={note.text} className="text-text-3 sm:hidden">
          {note.short}
        </span>
      )}
      <span className={cn('basis-full truncate text-text-3', note.short !== undefined && 'max-sm:hidden')}>{note.text}</span>
    </>
  )
}

/** The sentence is its name and its tooltip. */
function NoteIcon({ text: sentence }: { readonly text: string }) {
  return (
    <Tooltip text={sentence}>
      <button type="button" aria-label={sentence} className={cn(buttonClass, 'pointer-events-auto -mx-1')}>
        <InfoIcon {...icon} />
      </button>
    </Tooltip>
  )
}

function StudyName({ study: { name, summary } }: { readonly study: StudyReading }) {
  return (
    <>
      <span>{name}</span> {summary !== '' && <span className="font-normal text-text-2">{summary}</span>}
    </>
  )
}

const toneClasses = { up: 'text-up', down: 'text-down', plain: 'text-text' } as const

function ReadingText({ reading }: { readonly reading: Reading }) {
  const { gauge, colour } = reading
  return (
    <span
      className={cn('inline-flex items-center gap-1 whitespace-nowrap', toneClasses[reading.tone])}
      style={colour === undefined ? undefined : { color: colour }}
      title={reading.label}
    >
      {gauge !== undefined && (
        <span aria-hidden className="inline-flex gap-px">
          {Array.from({ length: gauge.total }, (_, at) => (
            <span key={at} className={cn('h-2.5 w-1', at < gauge.full ? 'bg-up' : 'border border-down')} />
          ))}
        </span>
      )}
      <span>{reading.text}</span>
    </span>
  )
}
