// A month of days to choose from, in weeks from Sunday, below a date field.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { DayButton, DayPicker, type CustomComponents } from 'react-day-picker'
import { indiaIsoDate } from '#shared/base/india-time.ts'
import { datesText as text } from '#shared/base/text/en-dates.ts'
import { cn } from '#web/lib/cn.ts'
import { ChevronLeftIcon, ChevronRightIcon } from './icon.ts'

export interface CalendarPopupProps {
  readonly label: string
  /** ISO date, or the empty string. */
  readonly value: string
  readonly isInFlow: boolean
  readonly edge: 'left' | 'right'
  readonly onDay: (day: string) => void
  readonly onClose: () => void
}

/** Below its field, and scrolled into view where that is below the fold: it never covers the field. */
export function CalendarPopup({ label, value, isInFlow, edge, onDay, onClose }: CalendarPopupProps) {
  const [today] = useState(() => indiaIsoDate(Date.now()))
  const popup = useRef<HTMLDialogElement>(null)
  useEscape(onClose)
  // Before it is painted, so that nothing jumps.
  useLayoutEffect(() => {
    // A statement: newer browsers return a promise, which is no clean-up.
    popup.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <dialog
      ref={popup}
      open
      aria-label={text.choose(label)}
      // A click between the days keeps the calendar open.
      tabIndex={-1}
      className={cn(
        'z-30 m-0 bg-raised text-text outline-none',
        isInFlow
          ? 'static mt-2 w-full'
          : 'absolute inset-auto top-full mt-1 w-66 max-w-[calc(100vw-2rem)] scroll-m-4 rounded-panel border border-line-strong p-2 max-md:w-80 md:left-0',
        !isInFlow && (edge === 'left' ? 'max-md:left-0' : 'max-md:right-0'),
      )}
    >
      <Calendar label={label} value={value} today={today} onDay={onDay} />
    </dialog>
  )
}

/** Arrow keys move by day and week, Page Up and Page Down by month, Home and End within the week. */
function Calendar({ label, value, today, onDay }: Pick<CalendarPopupProps, 'label' | 'value' | 'onDay'> & { readonly today: string }) {
  return (
    <DayPicker
      // Days are UTC midnights: no offset of the browser's zone moves them.
      timeZone="UTC"
      mode="single"
      required
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- The calendar opens on request, and its keys must reach it.
      autoFocus
      showOutsideDays
      navLayout="around"
      lang={document.documentElement.lang}
      selected={value === '' ? undefined : new Date(value)}
      onSelect={(day) => onDay(day.toISOString().slice(0, 10))}
      today={new Date(today)}
      defaultMonth={new Date(value === '' ? today : value)}
      formatters={{ formatCaption: monthText, formatWeekdayName: (day) => text.weekdayLetters[day.getDay()] ?? '' }}
      labels={{
        labelPrevious: () => text.previousMonth,
        labelNext: () => text.nextMonth,
        labelGrid: () => text.calendarOf(label),
        labelWeekday: (day) => text.weekdays[day.getDay()] ?? '',
        labelDayButton: (day) => `${text.weekdays[day.getDay()]}, ${day.getDate()} ${monthText(day)}`,
      }}
      classNames={{
        month: 'grid grid-cols-[auto_1fr_auto] items-center gap-y-1',
        month_caption: 'text-center text-13 font-medium',
        button_previous: monthButtonClass,
        button_next: monthButtonClass,
        month_grid: 'col-span-3 border-separate border-spacing-0',
        weekday: 'h-7 text-11 font-medium text-text-3',
        day: 'p-0 text-center',
      }}
      components={components}
    />
  )
}

const monthButtonClass = 'grid size-8 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text pointer-coarse:size-11'

/** A plain table of buttons, which screen readers read cell by cell, instead of a grid. */
const components: Partial<CustomComponents> = {
  MonthGrid: ({ className, 'aria-label': label, children }) => (
    <table className={className} aria-label={label}>
      {children}
    </table>
  ),
  Weekdays: ({ children }) => (
    <thead>
      <tr>{children}</tr>
    </thead>
  ),
  Day: ({ className, children }) => <td className={className}>{children}</td>,
  DayButton: (props) => {
    const { selected: isChosen = false, today: isToday, outside: isOutside } = props.modifiers
    return (
      <DayButton
        {...props}
        aria-current={isToday ? 'date' : undefined}
        aria-pressed={isChosen}
        className={cn(
          'size-8 rounded-control text-13 tabular-nums hover:bg-hover pointer-coarse:size-10',
          isChosen && 'bg-accent-solid text-white hover:bg-accent-solid forced-colors:outline-2',
          !isChosen && isOutside && 'text-text-3',
          isToday && 'font-semibold underline underline-offset-4',
        )}
      />
    )
  },
  Chevron: ({ orientation }) => {
    const Icon = orientation === 'left' ? ChevronLeftIcon : ChevronRightIcon
    return <Icon aria-hidden className="size-4" strokeWidth={1.75} />
  },
}

/** Keeps Escape from what is around the calendar, such as a drawer. */
function useEscape(onEscape: () => void): void {
  const latest = useEffectEvent(onEscape)
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Neither the keys of the page nor the browser's own closing of a popover.
      event.stopPropagation()
      event.preventDefault()
      latest()
    }
    window.addEventListener('keydown', close, { capture: true })
    return () => window.removeEventListener('keydown', close, { capture: true })
  }, [])
}

/** For example November 2026. */
function monthText(day: Date): string {
  return `${text.months[day.getMonth()]} ${day.getFullYear()}`
}
