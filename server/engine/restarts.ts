// Restart policy of an engine that exits by itself.

const windowMs = 60_000
/** Delays before the first, second ... restart within a window; after the last one it gives up. */
const pausesMs = [0, 250, 500, 1_000, 2_000]

/** Returns the delay before the next restart, or undefined after too many within a minute. */
export function restartPolicy(): (nowMs: number) => number | undefined {
  let starts: number[] = []
  return (nowMs) => {
    starts = starts.filter((startMs) => nowMs - startMs < windowMs)
    const pauseMs = pausesMs[starts.length]
    starts.push(nowMs)
    return pauseMs
  }
}
