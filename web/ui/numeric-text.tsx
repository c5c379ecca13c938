// Tabular figures, so that changing numbers cause no layout shift.
import type { ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A span with tabular figures; the text inside comes from the number formatters in `lib`. */
export function NumericText({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={cn('tabular-nums', className)} />
}
