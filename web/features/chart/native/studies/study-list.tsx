// All studies with switches: first the six toggles, then the others, each with a link to its settings.
import { useId } from 'react'
import { chartFlagNames } from '#shared/chart/chart-flags.ts'
import { studies } from '#shared/indicators/studies.ts'
import { classicIds, type StudyId } from '#shared/indicators/lib/study-ids.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { SettingsIcon } from '#web/ui/icon.ts'
import { Switch } from '#web/ui/switch.tsx'
import type { StudySwitches } from './use-study-switches.ts'

export interface StudyListProps {
  readonly switches: StudySwitches
  readonly onSettings: (id: StudyId) => void
}

const groups = [
  { title: text.classicGroup, ids: classicIds },
  { title: text.premiumGroup, ids: chartFlagNames },
] as const

export function StudyList({ switches, onSettings }: StudyListProps) {
  const id = useId()
  return (
    <div className="pb-3">
      {groups.map(({ title, ids }) => (
        <section key={title} aria-labelledby={`${id}-${ids[0]}`}>
          <h3 id={`${id}-${ids[0]}`} className="px-4 pt-3 pb-1 text-11 font-medium text-text-2">
            {title}
          </h3>
          <ul>
            {ids.map((study) => (
              <StudyItem key={study} id={study} switches={switches} onSettings={() => onSettings(study)} />
            ))}
          </ul>
        </section>
      ))}
      <p className="px-4 pt-3 text-12 text-text-2">{text.kept}</p>
    </div>
  )
}

interface StudyItemProps {
  readonly id: StudyId
  readonly switches: StudySwitches
  readonly onSettings: () => void
}

function StudyItem({ id, switches, onSettings }: StudyItemProps) {
  const { name, explanation } = studies[id]
  const htmlId = useId()
  return (
    <li className="flex items-center gap-1 border-b border-line pr-2 pl-4">
      <label htmlFor={`${htmlId}-switch`} className="flex min-w-0 flex-1 cursor-pointer items-center gap-3 py-2">
        <span className="min-w-0 flex-1">
          <span id={`${htmlId}-name`} className="block text-13 font-medium">
            {name}
          </span>
          <span id={`${htmlId}-text`} className="line-clamp-2 text-12 text-pretty text-text-2">
            {explanation}
          </span>
        </span>
        <Switch
          id={`${htmlId}-switch`}
          isOn={switches.isOn(id)}
          isReady={switches.isReady}
          onChange={(isOn) => switches.turn(id, isOn)}
          labelledBy={`${htmlId}-name`}
          describedBy={`${htmlId}-text`}
        />
      </label>
      <button
        type="button"
        aria-label={text.settingsOf(name)}
        title={text.settingsOf(name)}
        onClick={onSettings}
        className="grid size-7 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"
      >
        <SettingsIcon aria-hidden className="size-4" strokeWidth={1.5} />
      </button>
    </li>
  )
}
