// Date input with the browser's own calendar.
import { useId, type ComponentProps } from 'react'
import { smallFieldClass } from './small-field.ts'

export interface DateFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> {
  readonly label: string
  /** ISO date, or the empty string. */
  readonly value: string
  readonly onDay: (day: string) => void
}

export function DateField({ label, value, onDay, ...input }: DateFieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 gap-x-2 gap-y-1 max-md:flex-col md:items-center">
      <label htmlFor={id} className="shrink-0 text-12 text-text-2">
        {label}
      </label>
      <input
        {...input}
        id={id}
        type="date"
        value={value}
        onChange={(event) => onDay(event.target.value)}
        className={`${smallFieldClass} min-w-0 md:flex-1`}
      />
    </div>
  )
}
