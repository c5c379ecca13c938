// A labelled choice from a short list, with the browser's own menu.
import { useId, type ComponentProps } from 'react'

export interface SelectFieldProps extends ComponentProps<'select'> {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** All other props go to the select itself. */
export function SelectField({ label, options, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block pb-1.5 text-13 font-medium text-text-2">
        {label}
      </label>
      <select
        {...select}
        id={id}
        className="h-10 w-full rounded-control border border-line-strong bg-canvas px-2.5 text-14 text-text transition-colors hover:border-text-3 focus-visible:border-focus focus-visible:outline-offset-0 disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:text-16"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised">
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
