// Labelled native select.
import { useId, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface SelectFieldProps extends ComponentProps<'select'> {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly error?: string | undefined
  /** For compact panels. */
  readonly isSmall?: boolean
}

/** All other props go to the select. */
export function SelectField({ label, options, error, isSmall = false, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className={cn('block text-text-2', isSmall ? 'pb-1 text-12' : 'pb-1.5 text-13 font-medium')}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        className={cn(
          'w-full rounded-control border bg-canvas text-text transition-colors hover:border-text-3 focus-visible:border-focus focus-visible:outline-offset-0 disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:text-16',
          isSmall ? 'h-8 px-2 text-13' : 'h-10 px-2.5 text-14',
          error === undefined ? 'border-line-strong' : 'border-danger',
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised">
            {option.label}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p id={`${id}-error`} className="pt-1.5 text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
