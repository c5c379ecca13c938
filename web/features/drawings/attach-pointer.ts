// Offers mouse, touch, pen and key events on a chart's element to the drawings first; unhandled events reach the chart.
import type { Point } from '#shared/drawings/mapping.ts'
import type { DrawingController } from './drawing-controller.ts'
import type { DrawingSurface } from './drawing-surface.ts'

/** Listens until the returned function is called. Events that the board handles never reach the chart, not even as mouse events. */
export function attachPointer(surface: Pick<DrawingSurface, 'host' | 'mapping'>, board: DrawingController): () => void {
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
  const listen = <K extends keyof HTMLElementEventMap>(name: K, receive: (event: HTMLElementEventMap[K]) => void) =>
    // Capture phase: runs before the chart's own listeners on inner elements.
    host.addEventListener(name, receive, { capture: true, passive: false, signal: listening.signal })

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
    // Focus the chart, as after any click, so that keys go to the selected drawing.
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

/** The element around the chart that has the keyboard focus while the user works with it. */
export function focusTarget(host: HTMLElement): HTMLElement {
  return host.closest<HTMLElement>('[tabindex]') ?? host
}
