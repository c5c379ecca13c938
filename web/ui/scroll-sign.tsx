// Sign at an end of a scrollable bar: a fade with an arrow, which scrolls when pressed.
import { cn } from '#web/lib/cn.ts'
import { ChevronDownIcon } from './icon.ts'
import type { ScrollAxis } from './scroll-ends.ts'

export interface ScrollSignProps {
  readonly axis: ScrollAxis
  /** 1 at the end of the bar. */
  readonly direction: 1 | -1
  readonly onPress: () => void
}

const places = {
  x: { '-1': 'left-0 inset-y-0 w-7 bg-linear-to-r pr-1', '1': 'right-0 inset-y-0 w-7 bg-linear-to-l pl-1' },
  y: { '-1': 'top-0 inset-x-0 h-7 bg-linear-to-b pb-1', '1': 'bottom-0 inset-x-0 h-7 bg-linear-to-t pt-1' },
} as const

const turns = { x: { '-1': 'rotate-90', '1': '-rotate-90' }, y: { '-1': 'rotate-180', '1': '' } } as const

/** For the pointer only: with keys, the focus scrolls. */
export function ScrollSign({ axis, direction, onPress }: ScrollSignProps) {
  return (
    <span
      aria-hidden
      data-testid={direction === 1 ? 'more-after' : 'more-before'}
      onClick={onPress}
      className={cn(
        'absolute grid cursor-pointer place-items-center from-canvas from-60% to-transparent text-text forced-colors:bg-canvas',
        places[axis][direction],
      )}
    >
      <ChevronDownIcon className={cn('size-4', turns[axis][direction])} strokeWidth={2} />
    </span>
  )
}
