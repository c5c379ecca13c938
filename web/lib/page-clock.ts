// One clock for the whole page: a single timer aligned to full seconds, shared by all live texts.
import { secondMs } from '#shared/base/durations.ts'
import { listenerSet } from '#shared/base/listeners.ts'

const listeners = listenerSet()
let nowMs = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined

/** A clock in whole seconds, for use outside of components. */
export interface SecondClock {
  /** Called every second, and when a hidden page becomes visible. */
  readonly onSecond: (listener: () => void) => () => void
  /** Milliseconds since the epoch at the last tick; only valid while there is a listener. */
  readonly nowMs: () => number
}

export const pageClock: SecondClock = { onSecond: subscribe, nowMs: () => nowMs }

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

/** Computed from the clock each time, so that a throttled tab does not drift. */
function wait(): void {
  timer = setTimeout(tick, secondMs - (Date.now() % secondMs))
}

function tick(): void {
  clearTimeout(timer)
  nowMs = Date.now()
  listeners.notify()
  wait()
}
