// Mouse, finger, pen and keys on a chart's element, offered to the drawings first; what they do not take goes on to the chart.
import type { Point } from '#shared/market/drawings/mapping.ts'
import type { DrawingBoard } from './board-port.ts'
import type { DrawingSurface } from './drawing-surface.ts'

/** Listens until the returned function is called. Nothing that the board takes reaches the chart, not even as a mouse event. */
export function attachPointer(surface: Pick<DrawingSurface, 'host' | 'mapping'>, board: DrawingBoard): () => void {
  const { host } = surface
  const listening = new AbortController()
  let taken: number | undefined

  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = host.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const isOnPane = ({ x, y }: Point): boolean => {
    const mapping = surface.mapping()
    return mapping !== undefined && x >= 0 && y >= 0 && x <= mapping.width && y <= mapping.height
  }
  const listen = <K extends keyof HTMLElementEventMap>(name: K, hear: (event: HTMLElementEventMap[K]) => void) =>
    // Before the chart's own listeners, which sit on elements inside.
    host.addEventListener(name, hear, { capture: true, passive: false, signal: listening.signal })

  listen('pointerdown', (event) => {
    if (taken !== undefined) {
      taken = undefined
      board.abandon()
      return
    }
    const point = pointOf(event)
    if (event.button !== 0 || !isOnPane(point)) return
    if (!board.press(point, event.pointerType === 'mouse' ? 'mouse' : 'touch')) return
    taken = event.pointerId
    host.setPointerCapture(event.pointerId)
    event.stopPropagation()
    // The keys of a drawing that was taken belong to it, as after any click.
    focusTarget(host).focus({ preventScroll: true })
  })
  listen('pointermove', (event) => {
    if (taken !== undefined && taken !== event.pointerId) return
    board.move(pointOf(event))
    if (taken !== undefined) event.stopPropagation()
  })
  listen('pointerup', (event) => {
    if (taken !== event.pointerId) return
    taken = undefined
    event.stopPropagation()
    board.release(pointOf(event))
  })
  listen('pointercancel', (event) => {
    if (taken !== event.pointerId) return
    taken = undefined
    board.abandon()
  })
  const swallow = (event: Event) => {
    if (taken === undefined) return
    event.stopPropagation()
    event.preventDefault()
  }
  for (const name of ['mousedown', 'touchstart', 'touchmove'] as const) listen(name, swallow)
  const onKey = (event: KeyboardEvent) => {
    if (!board.key(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  focusTarget(host).addEventListener('keydown', onKey, { capture: true, signal: listening.signal })
  return () => listening.abort()
}

/** What has the focus, and so the keys, while a person works on the chart: an element around it. */
export function focusTarget(host: HTMLElement): HTMLElement {
  return host.closest<HTMLElement>('[tabindex]') ?? host
}
