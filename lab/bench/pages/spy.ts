// Runs in every measured page before its scripts: notes when candles are drawn and when the first tick after them is.

interface PageMarks {
  /** Milliseconds since the navigation. */
  candlesMs?: number
  tickMs?: number
  socketBytes: number
  /** Frames with drawing so far. */
  frames: number
  /** Called after each frame with drawing, with its filled rectangles. */
  onFrame?: (rects: number) => void
  /** Called before the page reads a snapshot. */
  onSnapshot?: () => void
  /** Of a change of timeframe. */
  pressedMs?: number
  switchedMs?: number
}

declare global {
  interface Window {
    marks: PageMarks
    /** Of the plain page only. */
    plain?: { readonly show: (slug: string, timeframe: string) => void }
  }
}

/** Passed to the page as source text: uses nothing outside itself. */
export function spy(): void {
  const candleRects = 30
  const marks: PageMarks = { socketBytes: 0, frames: 0 }
  window.marks = marks
  let rects = 0
  let hasUpdate = false
  const afterFrame = new MessageChannel()
  afterFrame.port1.addEventListener('message', () => {
    const drawn = rects
    rects = 0
    if (drawn === 0) return
    marks.frames += 1
    if (marks.candlesMs === undefined && drawn >= candleRects) marks.candlesMs = performance.now()
    else if (marks.candlesMs !== undefined && hasUpdate) marks.tickMs ??= performance.now()
    marks.onFrame?.(drawn)
  })
  afterFrame.port1.start()
  let isScheduled = false
  const count = (): void => {
    rects += 1
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      afterFrame.port2.postMessage(undefined)
    })
    afterFrame.port2.postMessage(undefined)
  }
  const pen = CanvasRenderingContext2D.prototype
  for (const name of ['fillRect', 'roundRect'] as const) {
    const draw = pen[name] as (...given: unknown[]) => void
    pen[name] = function spied(this: CanvasRenderingContext2D, ...given: unknown[]) {
      count()
      draw.apply(this, given)
    }
  }
  const Real = WebSocket
  window.WebSocket = class extends Real {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const text = typeof data === 'string' ? data : ''
        marks.socketBytes += text.length
        const type = /"t":"(\w+)"/.exec(text)?.[1] ?? '?'
        if (type === 'snap') marks.onSnapshot?.()
        if (type === 'upd' && marks.candlesMs !== undefined) hasUpdate = true
      })
    }
  }
}
