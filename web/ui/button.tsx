// Button, and its styles for links.
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'solid' | 'outline' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

const variants: Record<ButtonVariant, string> = {
  solid: 'bg-accent-solid text-white hover:bg-accent-press',
  outline: 'border border-line-strong bg-transparent text-text hover:bg-hover',
  quiet: 'bg-transparent text-text-2 hover:bg-hover hover:text-text',
  danger: 'border border-danger/60 bg-transparent text-danger hover:bg-danger/10',
}

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 px-2 text-12',
  medium: 'h-8 px-3 text-13',
  large: 'h-11 px-6 text-16',
}

/** Class names of a button, for a link that looks like one. */
export function buttonClass(variant: ButtonVariant = 'solid', size: ButtonSize = 'medium', extra?: string): string {
  return cn(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:opacity-60 disabled:opacity-60 pointer-coarse:min-h-11',
    variants[variant],
    sizes[size],
    extra,
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** Before the text; a spinner replaces it while the button is busy. */
  readonly icon?: ReactNode
  /** While true the button stays focusable, ignores clicks and shows `busyText` with a spinner. */
  readonly isBusy?: boolean
  readonly busyText?: string
}

/** A native button, of type "button" by default. */
export function Button({ variant, size, icon, isBusy = false, busyText, className, children, onClick, ...rest }: ButtonProps) {
  const isRenamed = isBusy && busyText !== undefined
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || rest['aria-disabled']}
      className={buttonClass(variant, size, className)}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {isBusy ? <Spinner className="size-3.5" /> : icon}
      <span key={isRenamed ? 'busy' : 'idle'} className="contents">
        {isRenamed ? busyText : children}
      </span>
    </button>
  )
}
