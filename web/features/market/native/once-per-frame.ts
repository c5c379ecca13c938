// Gathers what has changed into one picture a frame at most; a hidden tab has no frames.

/** First bar that is new or changed; all of them, or none where only the legend has something new to say. */
export type Changed = number | 'all' | 'none'

export interface FramePainter {
  readonly ask: (from: Changed) => void
  /** So many bars came before the others: what waits is counted from the first one. */
  readonly shift: (count: number) => void
  /** Paints now what waits for the next frame. */
  readonly flush: () => void
  readonly stop: () => void
}

export function oncePerFrame(paint: (from: Changed) => void): FramePainter {
  let dirty: Changed = 'none'
  let request = 0

  function run(): void {
    request = 0
    const from = dirty
    dirty = 'none'
    paint(from)
  }

  return {
    ask(from) {
      if (from === 'all' || dirty === 'all') dirty = 'all'
      else if (from !== 'none') dirty = dirty === 'none' ? from : Math.min(dirty, from)
      if (request === 0) request = requestAnimationFrame(run)
    },
    shift(count) {
      if (typeof dirty === 'number') dirty = Math.max(0, dirty + count)
    },
    flush() {
      if (request === 0) return
      cancelAnimationFrame(request)
      run()
    },
    stop: () => cancelAnimationFrame(request),
  }
}
