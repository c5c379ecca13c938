// A month of days to choose from, in weeks from Sunday.
import { useEffect, useRef, useState } from 'react'
import { datesText as text } from '#shared/text/en/dates.ts'
import { cn } from '#web/lib/cn.ts'
import { addDays, addMonths, weekdayOf, weeksOf } from '#web/lib/day-text.ts'
import { ChevronLeftIcon, ChevronRightIcon } from './icon.ts'

export interface CalendarProps {
  readonly label: string
  /** ISO date, or the empty string. */
  readonly value: string
  readonly today: string
  readonly onDay: (day: string) => void
}

/** Arrow keys move by day and week, Page Up and Page Down by month, Home and End within the week. */
export function Calendar({ label, value, today, onDay }: CalendarProps) {
  const [day, setDay] = useState(value === '' ? today : value)
  const table = useRef<HTMLTableElement>(null)
  const follow = useRef(true)
  useEffect(() => {
    if (follow.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    follow.current = false
  })
  const go = (next: string, isByKey: boolean) => {
    follow.current = isByKey
    setDay(next)
  }
  const weeks = weeksOf(day)
  return (
    <>
      <div className="flex items-center justify-between pb-1">
        <MonthButton label={text.previousMonth} onPress={() => go(addMonths(day, -1), false)} Icon={ChevronLeftIcon} />
        <span aria-live="polite" className="text-13 font-medium">
          {monthText(day)}
        </span>
        <MonthButton label={text.nextMonth} onPress={() => go(addMonths(day, 1), false)} Icon={ChevronRightIcon} />
      </div>
      <table ref={table} aria-label={text.calendarOf(label)} className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            {weeks[0]?.map((one) => (
              <th key={one} scope="col" abbr={text.weekdays[weekdayOf(one)]} className="h-7 text-11 font-medium text-text-3">
                {text.weekdayLetters[weekdayOf(one)]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} className="p-0 text-center">
                  <DayButton
                    day={one}
                    focused={day}
                    isChosen={one === value}
                    isToday={one === today}
                    onPress={() => onDay(one)}
                    onMove={(next) => go(next, true)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface DayButtonProps {
  readonly day: string
  /** The day that has the focus, in the month that is shown. */
  readonly focused: string
  readonly isChosen: boolean
  readonly isToday: boolean
  readonly onPress: () => void
  readonly onMove: (day: string) => void
}

function DayButton({ day, focused, isChosen, isToday, onPress, onMove }: DayButtonProps) {
  return (
    <button
      type="button"
      tabIndex={day === focused ? 0 : -1}
      aria-label={`${text.weekdays[weekdayOf(day)]}, ${Number(day.slice(8))} ${monthText(day)}`}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={isChosen}
      onClick={onPress}
      onKeyDown={(event) => {
        const next = dayAfterKey(event.key, focused)
        if (next === undefined) return
        event.preventDefault()
        onMove(next)
      }}
      className={cn(
        'size-8 rounded-control text-13 tabular-nums hover:bg-hover pointer-coarse:size-10',
        isChosen && 'bg-accent-solid text-white hover:bg-accent-solid forced-colors:outline-2',
        !isChosen && day.slice(0, 7) !== focused.slice(0, 7) && 'text-text-3',
        isToday && 'font-semibold underline underline-offset-4',
      )}
    >
      {Number(day.slice(8))}
    </button>
  )
}

function dayAfterKey(key: string, day: string): string | undefined {
  if (key === 'ArrowLeft') return addDays(day, -1)
  if (key === 'ArrowRight') return addDays(day, 1)
  if (key === 'ArrowUp') return addDays(day, -7)
  if (key === 'ArrowDown') return addDays(day, 7)
  if (key === 'Home') return addDays(day, -weekdayOf(day))
  if (key === 'End') return addDays(day, 6 - weekdayOf(day))
  if (key === 'PageUp') return addMonths(day, -1)
  return key === 'PageDown' ? addMonths(day, 1) : undefined
}

interface MonthButtonProps {
  readonly label: string
  readonly onPress: () => void
  readonly Icon: typeof ChevronLeftIcon
}

function MonthButton({ label, onPress, Icon }: MonthButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className="grid size-8 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text pointer-coarse:size-11"
    >
      <Icon aria-hidden className="size-4" strokeWidth={1.75} />
    </button>
  )
}

/** For example November 2026. */
function monthText(day: string): string {
  return `${text.months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}
