// Row that scrolls sideways and shows where there is more.
import { useRef, type ReactNode } from 'react'
import { useScrollEnds } from './scroll-ends.ts'
import { ScrollSign } from './scroll-sign.tsx'

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
