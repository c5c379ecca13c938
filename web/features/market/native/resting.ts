// Tells when a person has let go of the chart and the browser has time: the moment for work that would make a movement stutter.
import type { Motion } from './view-window.ts'

export interface Resting {
  /** What is being done with the chart right now. */
  motion(): Motion
  /** The view has moved: rest is some while after the last time. */
  moved(): void
  stop(): void
}

const restMs = 120
/** Work waits at most so long for the browser to have time. */
const patienceMs = 500

export function resting(host: HTMLElement, onRest: () => void): Resting {
  const fingers = new Set<number>()
  const ends = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const options = { signal: ends.signal, capture: true }
  host.addEventListener('pointerdown', ({ pointerId }) => fingers.add(pointerId), options)
  const release = ({ pointerId }: PointerEvent) => {
    if (fingers.delete(pointerId)) moved()
  }
  for (const name of ['pointerup', 'pointercancel'] as const) window.addEventListener(name, release, options)

  function moved(): void {
    clearTimeout(timer)
    timer = setTimeout(() => whenIdle(rest), restMs)
  }

  function rest(): void {
    if (fingers.size === 0 && !ends.signal.aborted) onRest()
  }

  return {
    // Two fingers pinch, and a pinch goes on from wherever it is.
    motion: () => (fingers.size === 1 ? 'held' : 'moving'),
    moved,
    stop() {
      clearTimeout(timer)
      ends.abort()
    },
  }
}

function whenIdle(run: () => void): void {
  // Safari has no such call.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: patienceMs })
  else run()
}
