// Stubs of browser APIs that jsdom lacks.

type Viewport = 'desktop' | 'phone'

const { setTimeout: later, clearTimeout: cancel } = globalThis

let viewport: Viewport = 'desktop'

/** Matching media queries of each viewport. */
const holding: Readonly<Record<Viewport, readonly string[]>> = {
  desktop: ['(pointer: fine)'],
  phone: ['(width < 48rem)', '(max-width: 639px)', '(pointer: coarse)'],
}

/** Call before opening a page; every test starts with a desktop viewport. */
export function setViewport(next: Viewport): void {
  viewport = next
}

/** Installs the stubs, once per window. */
export function installBrowserStubs(): void {
  Object.assign(window, {
    matchMedia: (query: string) => Object.assign(new EventTarget(), { matches: holding[viewport].includes(query), media: query }),
    scrollTo: () => undefined,
    isSecureContext: true,
    // jsdom's own stops permanently when a test uses fake timers.
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

/** No layout in jsdom: sizes and visibility never change. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A WebSocket that never opens. */
class SilentSocket extends EventTarget {
  readonly readyState = 0
  send(): void {}
  close(): void {}
}
