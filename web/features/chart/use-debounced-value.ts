// Debounced value: a burst of changes counts once.
import { useEffect, useState } from 'react'

/** Updates at once where `isUrgent` returns true, else after the value has been stable for the delay. */
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
