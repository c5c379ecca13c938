// The crosshairs of the charts beside each other, which show the same time.
import type { CrosshairLink } from './chart-crosshair.ts'

const linked = new Set<CrosshairLink>()

/** The others follow this one, and it follows them; returns the way to let go. */
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
