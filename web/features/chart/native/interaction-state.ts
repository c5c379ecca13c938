// Notifies when the user has stopped interacting and the browser is idle: the time for work that would cause jank.
import type { Motion } from './view-window.ts'

export interface Resting {
  /** Current user interaction. */
  motion(): Motion
  /** The view has moved; restarts the idle delay. */
  moved(): void
  stop(): void
}

const restMs = 120
/** Maximum wait for the browser to become idle. */
const timeoutMs = 500

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
    // Two fingers pinch, and a pinch continues from any position, so the view need not be held.
    motion: () => (fingers.size === 1 ? 'held' : 'moving'),
    moved,
    stop() {
      clearTimeout(timer)
      ends.abort()
    },
  }
}

function whenIdle(run: () => void): void {
  // Safari lacks requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: timeoutMs })
  else run()
}
