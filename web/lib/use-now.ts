// One clock for the whole page: a single timer aligned to full seconds, read by every ticking text.
import { listenerSet } from '#shared/base/listeners.ts'
import { useSyncExternalStore } from 'react'
import { secondMs } from '#shared/base/durations.ts'

const listeners = listenerSet()
let nowMs = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined

/** A clock that moves on by whole seconds, for what is no component. */
export interface SecondClock {
  /** Calls back at every second, and where a hidden page is seen again. */
  readonly onSecond: (listener: () => void) => () => void
  /** Milliseconds since the epoch at the last one; somebody must be listening. */
  readonly nowMs: () => number
}

export const pageClock: SecondClock = { onSecond: subscribe, nowMs: read }

/** Milliseconds since the epoch, renewed at every full second; only the component that asks renders again. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read)
}

function subscribe(listener: () => void): () => void {
  const remove = listeners.add(listener)
  if (listeners.count() === 1) {
    nowMs = Date.now()
    wait()
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    remove()
    if (listeners.count() > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

function read(): number {
  return nowMs
}

/** Measured from the clock each time, so that a slow tab does not drift. */
function wait(): void {
  timer = setTimeout(tick, secondMs - (Date.now() % secondMs))
}

function tick(): void {
  clearTimeout(timer)
  nowMs = Date.now()
  listeners.notify()
  wait()
}
