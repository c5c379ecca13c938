// How often an engine that stops by itself is started again.

const windowMs = 60_000
/** Pauses before the first, second ... start within a window; after the last one, starting again is no use. */
const pausesMs = [0, 250, 500, 1_000, 2_000]

/** Answers how long to wait before the next start, or undefined when there have been too many within a minute. */
export function restartPolicy(): (nowMs: number) => number | undefined {
  let starts: number[] = []
  return (nowMs) => {
    starts = starts.filter((startMs) => nowMs - startMs < windowMs)
    const pauseMs = pausesMs[starts.length]
    starts.push(nowMs)
    return pauseMs
  }
}
