// All forming bars of a chart, one strip for each pane that has any.
import type { IChartApi, IPaneApi, Time } from 'lightweight-charts'
import { formingStrip, type FormingSource, type FormingStrip } from './forming-strip.ts'
import type { PaneOverlays } from './pane-overlays.ts'

export interface FormingLayer {
  /** Adds what a series shows, above all others or below them; returns how to take it away, which must happen before its pane goes. */
  add(pane: IPaneApi<Time>, source: FormingSource, order?: 'top' | 'bottom'): () => void
}

export function formingLayer(chart: IChartApi, overlays: PaneOverlays): FormingLayer {
  const strips = new Map<IPaneApi<Time>, { readonly strip: FormingStrip; readonly remove: () => void }>()

  function stripOf(pane: IPaneApi<Time>): FormingStrip {
    const known = strips.get(pane)
    if (known !== undefined) return known.strip
    const strip = formingStrip(chart)
    strips.set(pane, { strip, remove: overlays.add(pane, strip) })
    return strip
  }

  return {
    add(pane, source, order = 'top') {
      const { sources } = stripOf(pane)
      if (order === 'top') sources.push(source)
      else sources.unshift(source)
      return () => {
        sources.splice(sources.indexOf(source), 1)
        if (sources.length > 0) return
        strips.get(pane)?.remove()
        strips.delete(pane)
      }
    },
  }
}
