// Long work in pieces: one piece per turn of the event loop, for all callers together.

/** Resolves when the next piece may run, first come first served; the event loop turns in between. */
export type WorkTurn = () => Promise<void>

export function workTurns(): WorkTurn {
  const waiting: (() => void)[] = []
  let isScheduled = false

  function schedule(): void {
    isScheduled = waiting.length > 0
    if (isScheduled)
      setImmediate(() => {
        waiting.shift()?.()
        schedule()
      })
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (!isScheduled) schedule()
    })
}
