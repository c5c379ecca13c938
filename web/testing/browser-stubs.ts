// The few parts of a browser that jsdom lacks and the interface uses.

type Viewport = 'desktop' | 'phone'

const { setTimeout: later, clearTimeout: cancel } = globalThis

let viewport: Viewport = 'desktop'

/** The media queries that hold at each size. */
const holding: Readonly<Record<Viewport, readonly string[]>> = {
  desktop: ['(pointer: fine)'],
  phone: ['(width < 48rem)', '(max-width: 639px)', '(pointer: coarse)'],
}

/** To be called before a page is opened; every test starts on a desktop. */
export function setViewport(next: Viewport): void {
  viewport = next
}

/** Puts them in place, once for a window. */
export function installBrowserStubs(): void {
  Object.assign(window, {
    matchMedia: (query: string) => Object.assign(new EventTarget(), { matches: holding[viewport].includes(query), media: query }),
    scrollTo: () => undefined,
    // The one of jsdom stops for good when a test stops the clock.
    requestAnimationFrame: (draw: FrameRequestCallback) => later(() => draw(performance.now()), 1),
    cancelAnimationFrame: (id: number) => cancel(id),
    ResizeObserver: NoObserver,
    IntersectionObserver: NoObserver,
    WebSocket: SilentSocket,
  })
  Object.assign(Element.prototype, {
    getAnimations: () => [],
    scrollIntoView: () => undefined,
    scrollTo: () => undefined,
    hasPointerCapture: () => false,
    setPointerCapture: () => undefined,
    releasePointerCapture: () => undefined,
  })
}

/** Nothing is laid out, so nothing ever changes its size or comes into view. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A live connection that never opens. */
class SilentSocket extends EventTarget {
  readonly readyState = 0
  send(): void {}
  close(): void {}
}
