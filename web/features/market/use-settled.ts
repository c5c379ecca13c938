// A value that follows another one a moment later, so that a burst of changes counts once.
import { useEffect, useState } from 'react'

/** Follows at once where `isUrgent` says so, else after the value has held for the given time. */
export function useSettled<T>(value: T, delayMs: number, isUrgent: (next: T, shown: T) => boolean): T {
  const [shown, setShown] = useState(value)
  const isNow = shown !== value && isUrgent(value, shown)
  if (isNow) setShown(value)
  useEffect(() => {
    const timer = setTimeout(() => setShown(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return isNow ? value : shown
}
