// The page's clock for components.
import { useSyncExternalStore } from 'react'
import { pageClock } from './page-clock.ts'

/** Milliseconds since the epoch, updated every full second; re-renders only the calling component. */
export function useNow(): number {
  return useSyncExternalStore(pageClock.onSecond, pageClock.nowMs, pageClock.nowMs)
}
