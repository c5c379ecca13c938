// Page of one study: switch, inputs, description and data source.
import type { ReactNode } from 'react'
import type { ChartKind } from '#shared/indicators/lib/study-input.ts'
import type { Study } from '#shared/indicators/lib/study.ts'
import { studyGuide } from '#shared/indicators/text/en-guide.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { Button } from '#web/ui/button.tsx'
import { StudyForm } from './study-form.tsx'
import type { StudySwitches } from './use-study-switches.ts'

export interface StudyPageProps {
  readonly study: Study
  readonly chart: ChartKind
  readonly switches: StudySwitches
}

export function StudyPage({ study, chart, switches }: StudyPageProps) {
  const { id } = study
  const { shows, data } = studyGuide[id]
  const isHidden = switches.isHidden(id)
  return (
    <div className="grid gap-4 p-4">
      {switches.isOn(id) ? (
        <div className="flex gap-2">
          <Button variant="outline" size="small" onClick={() => switches.hide(id, !isHidden)}>
            {isHidden ? text.showShort : text.hideShort}
          </Button>
          <Button variant="outline" size="small" onClick={() => switches.turn(id, false)}>
            {text.removeShort}
          </Button>
        </div>
      ) : (
        <div className="flex items-center justify-between gap-2">
          <p className="text-12 text-text-2">{text.isOff}</p>
          <Button size="small" aria-disabled={!switches.isReady} onClick={() => switches.turn(id, true)}>
            {text.addShort}
          </Button>
        </div>
      )}
      <Part title={text.inputs}>
        <StudyForm study={study} chart={chart} given={switches.inputsOf(id)} onChange={(changed) => switches.setInputs(id, changed)} />
      </Part>
      <Part title={text.shows}>
        <p className="text-12 text-pretty text-text-2">{shows}</p>
      </Part>
      <Part title={text.data}>
        <p className="text-12 text-pretty text-text-2">{data}</p>
      </Part>
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-12 font-medium">{title}</h3>
      {children}
    </section>
  )
}
