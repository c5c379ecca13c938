// The forming bar of one pane: as wide as the bar and the way to it from the one before, and as high as the pane.
import type { IChartApi, Logical } from 'lightweight-charts'
import { overlayCanvas } from './overlay-canvas.ts'
import type { PanePart, PanePlace } from './pane-overlays.ts'
import { paintSprite, type Sprite, type Stage } from './sprites.ts'

/** What a series shows of the forming bar. */
export interface FormingSource {
  /** Place of the bar on the library's axis; undefined where it is not shown, or where another tells it. */
  place(): number | undefined
  /** Undefined where it has no value there. */
  sprite(ratioY: number): Sprite | undefined
}

export interface FormingStrip extends PanePart {
  readonly sources: FormingSource[]
}

/** Lines are wider than their points. */
const marginPx = 4

export function formingStrip(chart: IChartApi): FormingStrip {
  const sources: FormingSource[] = []
  const overlay = overlayCanvas()
  const scale = chart.timeScale()

  /** Pixels of the page; undefined where nothing forms. */
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
