// Scrolls the chart to a date, and says where its history does not reach that far.
import { useState, type FormEvent } from 'react'
import { chartText } from '#shared/chart/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { CalendarIcon } from '#web/ui/icon.ts'
import type { NativeChart } from './chart-port.ts'
import { toolClass } from './tool-class.ts'
import { ToolPopover } from './tool-popover.tsx'

export interface GoToDateProps {
  readonly chart: Pick<NativeChart, 'goTo'>
  /** IANA zone of the time axis; undefined where each bar is a date. */
  readonly zone: string | undefined
}

export function GoToDate({ chart, zone }: GoToDateProps) {
  const [day, setDay] = useState('')
  const [note, setNote] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const go = async () => {
    setIsBusy(true)
    setNote(chartText.goToLoading)
    const outcome = await chart.goTo(startOf(day, zone))
    setIsBusy(false)
    setNote(outcome === 'shown' ? '' : chartText.goToNotes[outcome])
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (day === '') setNote(chartText.goToMissing)
    else if (!isBusy) void go()
  }
  return (
    <ToolPopover
      label={chartText.goTo}
      className={toolClass}
      button={<CalendarIcon aria-hidden className="size-4" strokeWidth={1.5} />}
      onOpen={() => setNote('')}
    >
      <form noValidate onSubmit={onSubmit} className="grid gap-2">
        <DateField label={chartText.goToDay} value={day} isInFlow onDay={setDay} onDraft={() => setDay('')} />
        <Button type="submit">{chartText.goToSubmit}</Button>
        <output className="text-pretty text-text-2 empty:hidden">{note}</output>
      </form>
    </ToolPopover>
  )
}

/** First moment of a day; daily bars are stamped 00:00 UTC. */
function startOf(day: string, zone: string | undefined): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone ?? 'UTC').epochMilliseconds
}
