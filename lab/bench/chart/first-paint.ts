// Detects when any chart draws candles, by the rectangles drawn on any canvas of the page.
/** At least this number of rectangles in one frame are candles; background and axes of all charts here have fewer. */
const candleRects = 30

export interface CandleSpy {
  /** Whether candles were drawn since the last call; `least` rectangles count as candles. */
  hasDrawn(least?: number): boolean
  stop(): void
}

type Draw = (this: CanvasRenderingContext2D, ...given: number[]) => void

export function spyOnCandles(): CandleSpy {
  const pen = CanvasRenderingContext2D.prototype as unknown as Record<'fillRect' | 'roundRect', Draw>
  let count = 0
  const undo = (['fillRect', 'roundRect'] as const).map((name) => {
    const draw = pen[name]
    pen[name] = function spied(...given) {
      count += 1
      draw.apply(this, given)
    }
    return () => void (pen[name] = draw)
  })
  return {
    hasDrawn(least = candleRects) {
      const drawn = count
      count = 0
      return drawn >= least
    },
    stop: () => undo.forEach((run) => run()),
  }
}

/** Runs a function that draws a chart; resolves to the milliseconds until the end of the first frame with candles. */
export function firstPaintMs(start: () => void): Promise<number> {
  const spy = spyOnCandles()
  const { promise, resolve } = Promise.withResolvers<number>()
  let isOver = false
  const startMs = performance.now()
  const frame = () => {
    // After the frame: its drawing has been submitted to the screen. A later frame may come first, which is harmless.
    afterFrame(() => {
      if (isOver || !spy.hasDrawn()) return
      isOver = true
      spy.stop()
      resolve(performance.now() - startMs)
    })
    if (!isOver) requestAnimationFrame(frame)
  }
  start()
  requestAnimationFrame(frame)
  return promise
}

function afterFrame(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', run, { once: true })
  port1.start()
  port2.postMessage(undefined)
}
