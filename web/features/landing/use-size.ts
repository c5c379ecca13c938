// Size of an element in pixels, updated on resize.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Zero by zero before the first layout. */
export function useSize(): readonly [RefObject<HTMLDivElement | null>, Size] {
  const ref = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
