// Overlay of the forming bars of a chart: one canvas for each pane that has any, spanning the forming bar and the gap to the previous one.
import type { IChartApi, IPaneApi, Logical, Time } from 'lightweight-charts'
import { paintSprite, type Sprite, type Stage } from './draw.ts'
import { overlayCanvas, type PaneOverlays, type PanePart, type PanePlace } from './pane-overlays.ts'

/** What a series draws for the forming bar. */
export interface FormingSource {
  /** Logical index of the bar on the library's axis; undefined where it is not visible, or where another source gives it. */
  place(): number | undefined
  /** Undefined where the series has no value there. */
  sprite(ratioY: number): Sprite | undefined
}

export interface FormingLayer {
  /** Adds a series above or below the others; returns a remove function, which must be called before its pane is removed. */
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

interface FormingStrip extends PanePart {
  readonly sources: FormingSource[]
}

/** Lines extend beyond their points. */
const marginPx = 4

function formingStrip(chart: IChartApi): FormingStrip {
  const sources: FormingSource[] = []
  const overlay = overlayCanvas()
  const scale = chart.timeScale()

  /** CSS pixels; undefined without a forming bar. */
  function where(): { x: number; beforeX: number } | undefined {
    let place: number | undefined
    for (const source of sources) place ??= source.place()
    if (place === undefined) return undefined
    const x = scale.logicalToCoordinate(place as Logical)
    const beforeX = scale.logicalToCoordinate((place - 1) as Logical)
    return x === null || beforeX === null ? undefined : { x, beforeX }
  }

  function paintOn(pen: CanvasRenderingContext2D, { ratio, height }: PanePlace, { x, beforeX }: { x: number; beforeX: number }): void {
    const stage: Stage = { pen, ratio, height, spacingPx: x - beforeX, x: x * ratio.x, beforeX: beforeX * ratio.x }
    for (const source of sources) {
      const sprite = source.sprite(ratio.y)
      if (sprite !== undefined) paintSprite(stage, sprite)
    }
  }

  return {
    sources,
    paint(place) {
      const { plot, ratio, width, height } = place
      const at = where()
      if (at === undefined) return overlay.hide()
      const left = Math.max(0, Math.floor((2 * at.beforeX - at.x - marginPx) * ratio.x))
      const right = Math.min(width, Math.ceil((2 * at.x - at.beforeX + marginPx) * ratio.x))
      if (right <= left || height === 0) return overlay.hide()
      const pen = overlay.open(plot, { box: { left, top: 0, width: right - left, height }, ratio })
      if (pen !== undefined) paintOn(pen, place, at)
    },
    paintInto(pen, place) {
      const at = where()
      if (at === undefined) return
      pen.save()
      paintOn(pen, place, at)
      pen.restore()
    },
    hide: () => overlay.hide(),
  }
}
