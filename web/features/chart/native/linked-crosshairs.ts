// Synchronises the crosshairs of charts that show the same time.

/** Links the crosshairs of two charts by time. */
export interface CrosshairLink {
  /** Called when the user moves it; undefined when it leaves the chart. */
  readonly onPoint: (listener: (timeMs: number | undefined) => void) => () => void
  /** Moves it without a callback. */
  readonly pointAt: (timeMs: number | undefined) => void
}

const linked = new Set<CrosshairLink>()

/** Links this crosshair to all others; returns the unlink function. */
export function linkCrosshair(link: CrosshairLink): () => void {
  linked.add(link)
  const stop = link.onPoint((timeMs) => {
    for (const other of linked) if (other !== link) other.pointAt(timeMs)
  })
  return () => {
    linked.delete(link)
    stop()
  }
}
