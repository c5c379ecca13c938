// Checkbox with a label.
import { useId, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface CheckboxFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'id'> {
  readonly label: string
  readonly error?: string | undefined
}

/** All other props go to the input. */
export function CheckboxField({ label, error, ...input }: CheckboxFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div>
      <label htmlFor={id} className="flex items-start gap-2.5 text-13 text-pretty text-text-2 pointer-coarse:py-2">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          className={cn(
            'mt-0.5 size-4 shrink-0 accent-accent-solid pointer-coarse:size-5',
            error !== undefined && 'outline outline-danger',
          )}
        />
        {label}
      </label>
      {error !== undefined && (
        <p id={errorId} className="pt-1.5 pl-6.5 text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
