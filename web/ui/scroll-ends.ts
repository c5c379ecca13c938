// Whether a scrollable element has more before and after what is visible, so that a sign can say so.
import { useEffect, useState, type RefObject } from 'react'

export interface ScrollEnds {
  readonly hasBefore: boolean
  readonly hasAfter: boolean
}

export type ScrollAxis = 'x' | 'y'

const none: ScrollEnds = { hasBefore: false, hasAfter: false }
/** Positions are fractions of a pixel on some screens. */
const tolerancePx = 1

type Measured = Pick<HTMLElement, 'scrollLeft' | 'scrollTop' | 'clientWidth' | 'clientHeight' | 'scrollWidth' | 'scrollHeight'>

export function scrollEnds(element: Measured, axis: ScrollAxis): ScrollEnds {
  const [at, visible, whole] =
    axis === 'x'
      ? [element.scrollLeft, element.clientWidth, element.scrollWidth]
      : [element.scrollTop, element.clientHeight, element.scrollHeight]
  return { hasBefore: at > tolerancePx, hasAfter: at + visible < whole - tolerancePx }
}

/** Follows scrolling and changes of size. */
export function useScrollEnds(ref: RefObject<HTMLElement | null>, axis: ScrollAxis): ScrollEnds {
  const [ends, setEnds] = useState(none)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = () =>
      setEnds((before) => {
        const now = scrollEnds(element, axis)
        return now.hasBefore === before.hasBefore && now.hasAfter === before.hasAfter ? before : now
      })
    const sizes = new ResizeObserver(measure)
    for (const part of [element, ...element.children]) sizes.observe(part)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [ref, axis])
  return ends
}
