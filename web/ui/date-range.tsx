// First and last day of a filter.
import { isReversed } from '#shared/base/day-range.ts'
import { datesText as text } from '#shared/base/text/en-dates.ts'
import { DateField } from './date-field.tsx'

export interface DateRangeProps {
  /** ISO dates, empty where open. */
  readonly from: string
  readonly to: string
  readonly onChange: (change: { readonly from: string } | { readonly to: string }) => void
}

/** Says under the last day that it is before the first one. */
export function DateRange({ from, to, onChange }: DateRangeProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 max-md:grid max-md:w-full max-md:grid-cols-2">
      <DateField label={text.start} value={from} onDay={(day) => onChange({ from: day })} />
      <DateField
        label={text.end}
        edge="right"
        value={to}
        error={isReversed({ from, to }) ? text.reversed : undefined}
        onDay={(day) => onChange({ to: day })}
      />
    </div>
  )
}
