// Row that scrolls sideways and shows where there is more.
import { useRef, type ReactNode } from 'react'
import { useScrollEnds, type ScrollAxis } from './scroll-ends.ts'
import { cn } from '#web/lib/cn.ts'
import { ChevronDownIcon } from './icon.ts'

/** Part of its width that a sign moves the row by. */
const stepShare = 0.7

export interface ScrollRowProps {
  /** One element, as wide as its content. */
  readonly children: ReactNode
}

/** What has the focus stays clear of the signs at the ends. */
export function ScrollRow({ children }: ScrollRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const { hasBefore, hasAfter } = useScrollEnds(row, 'x')
  const move = (direction: 1 | -1) => row.current?.scrollBy({ left: direction * row.current.clientWidth * stepShare, behavior: 'smooth' })
  return (
    <div className="relative h-full min-w-0">
      <div ref={row} className="flex h-full scroll-px-9 overflow-x-auto overscroll-x-contain [scrollbar-width:none]">
        {children}
      </div>
      {hasBefore && <ScrollSign axis="x" direction={-1} onPress={() => move(-1)} />}
      {hasAfter && <ScrollSign axis="x" direction={1} onPress={() => move(1)} />}
    </div>
  )
}

interface ScrollSignProps {
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
