// Labelled input with hint and error, linked for screen readers.
import { useId, type ComponentProps, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface TextFieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly error?: string | undefined
  /** Text under the field; yellow if it requires an action. */
  readonly hint?: string | undefined
  readonly hintKind?: 'plain' | 'warn'
  /** Inside the field at the right, for example a show/hide button. */
  readonly trailing?: ReactNode
  /** Right of the label, for example a help link. */
  readonly aside?: ReactNode
}

/** All other props go to the input. */
export function TextField({ label, error, hint, hintKind = 'plain', trailing, aside, className, ...input }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const described = cn(error !== undefined && errorId, hint !== undefined && hintId)
  return (
    <div className={cn('relative', className)}>
      <label htmlFor={id} className="block pb-1.5 text-13 font-medium text-text-2">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={described === '' ? undefined : described}
          className={cn(
            'h-10 w-full rounded-control border bg-canvas px-3 text-14 text-text placeholder:text-text-3 pointer-coarse:h-11 pointer-coarse:text-16',
            'transition-colors hover:border-text-3 read-only:border-line read-only:bg-transparent disabled:opacity-60',
            'focus-visible:border-focus focus-visible:outline-offset-0',
            error === undefined ? 'border-line-strong' : 'border-danger',
            trailing !== undefined && 'pr-11',
          )}
        />
        {trailing !== undefined && <div className="absolute inset-y-0 right-0 flex items-center pr-1">{trailing}</div>}
      </div>
      {/* After the input in the tab order, so that Tab moves from field to field. */}
      {aside !== undefined && <div className="absolute top-0 right-0 flex h-5 items-center">{aside}</div>}
      {error !== undefined && (
        <p id={errorId} className="pt-1.5 text-12 text-danger">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className={cn('pt-1.5 text-12', hintKind === 'warn' ? 'text-warn' : 'text-text-3')}>
          {hint}
        </p>
      )}
    </div>
  )
}
