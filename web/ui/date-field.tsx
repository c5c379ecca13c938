// Date input in the form of India, dd/mm/yyyy, with a calendar.
import { useId, useRef, useState, type ComponentProps, type FocusEvent } from 'react'
import { datesText as text } from '#shared/base/text/en-dates.ts'
import { cn } from '#web/lib/cn.ts'
import { dayText, readDay, withSlashes } from '#web/lib/day-text.ts'
import { fetched } from './fetched.tsx'
import { CalendarIcon } from './icon.ts'
import { HiddenPartFailed } from './part-failed.tsx'
import { smallFieldClass } from './search-field.tsx'

const CalendarPopup = fetched(async () => (await import('./calendar-popup.tsx')).CalendarPopup, null, HiddenPartFailed)

export interface DateFieldProps {
  readonly label: string
  /** ISO date, or the empty string. */
  readonly value: string
  readonly onDay: (day: string) => void
  /** The text has become one that is no day, for example while it is edited. */
  readonly onDraft?: () => void
  readonly error?: string | undefined
  /** Opens the calendar below the field instead of above what follows, where that would be cut off. */
  readonly isInFlow?: boolean
  /** Which edge of the field the calendar keeps on a narrow screen, where it is wider than the field. */
  readonly edge?: 'left' | 'right'
}

/** Reports a day as soon as it is complete, and the empty string for an emptied field. */
export function DateField({ label, value, onDay, onDraft, error, isInFlow = false, edge = 'left' }: DateFieldProps) {
  const id = useId()
  const { typed, issue, type, leave } = useTypedDay(value, onDay, onDraft)
  const [isOpen, setIsOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const shown = issue ?? error
  const close = () => {
    setIsOpen(false)
    input.current?.focus()
  }
  return (
    <div className="min-w-0">
      <div className={cn('flex min-w-0 gap-x-2 gap-y-1', isInFlow ? 'flex-col' : 'max-md:flex-col md:items-center')}>
        <label htmlFor={id} className="shrink-0 text-12 text-text-2">
          {label}
        </label>
        <div
          className="relative min-w-0"
          onFocus={() => void CalendarPopup.preload().catch(() => undefined)}
          onBlur={(event) => isOutside(event) && setIsOpen(false)}
        >
          <div className="relative">
            <DayInput
              ref={input}
              id={id}
              typed={typed}
              isInvalid={shown !== undefined}
              isFullWidth={isInFlow}
              onType={type}
              onBlur={leave}
              onOpen={() => setIsOpen(true)}
            />
            <OpenButton label={text.choose(label)} isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
          </div>
          {isOpen && (
            <CalendarPopup
              label={label}
              value={value}
              isInFlow={isInFlow}
              edge={edge}
              onClose={close}
              onDay={(day) => {
                onDay(day)
                close()
              }}
            />
          )}
        </div>
      </div>
      {shown !== undefined && (
        <p id={`${id}-error`} role="alert" className="pt-1 text-12 text-danger">
          {shown}
        </p>
      )}
    </div>
  )
}

interface DayInputProps extends Pick<ComponentProps<'input'>, 'ref' | 'onBlur'> {
  readonly id: string
  readonly typed: string
  readonly isInvalid: boolean
  readonly isFullWidth: boolean
  readonly onType: (typed: string) => void
  readonly onOpen: () => void
}

function DayInput({ id, typed, isInvalid, isFullWidth, onType, onOpen, ...input }: DayInputProps) {
  return (
    <input
      {...input}
      id={id}
      type="text"
      inputMode="numeric"
      autoComplete="off"
      placeholder={text.format}
      title={text.format}
      maxLength={10}
      value={typed}
      aria-invalid={isInvalid}
      aria-describedby={isInvalid ? `${id}-error` : undefined}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        onOpen()
      }}
      className={cn(
        smallFieldClass,
        'w-full pr-8 text-ellipsis tabular-nums pointer-coarse:pr-11',
        !isFullWidth && 'md:w-32',
        isInvalid && 'border-danger',
      )}
    />
  )
}

interface OpenButtonProps {
  readonly label: string
  readonly isOpen: boolean
  readonly onPress: () => void
}

function OpenButton({ label, isOpen, onPress }: OpenButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onPress}
      className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-control text-text-3 hover:text-text pointer-coarse:w-11"
    >
      <CalendarIcon aria-hidden className="size-3.5" strokeWidth={1.5} />
    </button>
  )
}

/** The text of the field while a day is typed; an outside change of the day replaces it. */
function useTypedDay(value: string, onDay: (day: string) => void, onDraft?: () => void) {
  const [typed, setTyped] = useState(dayText(value))
  const [lastValue, setLastValue] = useState(value)
  const [isLeft, setIsLeft] = useState(true)
  if (value !== lastValue) {
    setLastValue(value)
    if (value !== (readDay(typed) ?? '')) setTyped(dayText(value))
  }
  const isWrong = isLeft && typed.trim() !== '' && readDay(typed) === undefined
  return {
    typed,
    issue: isWrong ? text.invalid : undefined,
    type: (next: string) => {
      setTyped(withSlashes(next, typed))
      setIsLeft(false)
      const day = next.trim() === '' ? '' : readDay(next)
      if (day === undefined) onDraft?.()
      else if (day !== value) onDay(day)
    },
    leave: () => setIsLeft(true),
  }
}

function isOutside({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return !currentTarget.contains(relatedTarget)
}
