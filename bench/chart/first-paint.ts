// When candles are drawn, whoever draws them: seen at the rectangles that go to any canvas of the page.
/** So many rectangles in one frame are candles; the ground and the axes of all charts here are fewer. */
const candleRects = 30

export interface CandleSpy {
  /** Whether candles were drawn since the last time this was asked; `least` rectangles are taken for them. */
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

/** Runs what draws a chart; resolves with the milliseconds to the end of the first frame in which candles were drawn. */
export function firstPaintMs(start: () => void): Promise<number> {
  const spy = spyOnCandles()
  const { promise, resolve } = Promise.withResolvers<number>()
  let isOver = false
  const startMs = performance.now()
  const frame = () => {
    // Behind the frame: what was drawn has been handed to the screen. A later frame may come first, which changes nothing.
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
