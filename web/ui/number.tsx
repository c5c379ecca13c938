// Every price, clock and figure: digits of one width, so that nothing jumps when they change.
import type { ComponentProps } from 'react'
import { classes } from '#web/lib/classes.ts'

/** A span with tabular figures; the text inside comes from `lib/format.ts`. */
export function Num({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={classes('tabular-nums', className)} />
}
