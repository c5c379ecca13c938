// A small button that is only an icon, for rows of a table.
import type { ComponentProps, ReactNode } from 'react'

export interface RowButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** Says what it does, and to whom. */
  readonly label: string
  readonly children: ReactNode
}

/** Quiet until its row is pointed at or holds the focus. */
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
