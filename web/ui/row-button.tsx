// Small icon-only button for table rows.
import type { ComponentProps, ReactNode } from 'react'

export interface RowButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** Accessible name: the action and its target. */
  readonly label: string
  readonly children: ReactNode
}

/** Faint until its row is hovered or focused. */
export function RowButton({ label, children, ...button }: RowButtonProps) {
  return (
    <button
      {...button}
      type="button"
      aria-label={label}
      title={label}
      className="grid size-6 shrink-0 place-items-center rounded-control text-text-3 group-focus-within:text-text-2 group-hover:text-text-2 hover:bg-line hover:text-text pointer-coarse:-my-2.5 pointer-coarse:size-11"
    >
      {children}
    </button>
  )
}
