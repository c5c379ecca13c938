// Minimal lightweight-charts primitive: one paint function, below or above the candles.
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
} from 'lightweight-charts'
import { canvasFontFamily } from '#web/lib/canvas-font-family.ts'

export interface Canvas {
  readonly pen: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
}

const none: IPrimitivePaneView[] = []

export interface Painter extends ISeriesPrimitive {
  /** Requests a repaint. */
  repaint(): void
}

/** `hasPaint` is false when there is nothing to paint: the library does work per frame for each visible primitive. */
export function painter(zOrder: PrimitivePaneViewZOrder, paint: (canvas: Canvas) => void, hasPaint = () => true): Painter {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        context.save()
        paint({ pen: context, width: mediaSize.width, height: mediaSize.height })
        context.restore()
      }),
  }
  const views: IPrimitivePaneView[] = [{ zOrder: () => zOrder, renderer: () => renderer }]
  let requestUpdate: (() => void) | undefined
  return {
    attached: (parameter: SeriesAttachedParameter) => void (requestUpdate = parameter.requestUpdate),
    detached: () => void (requestUpdate = undefined),
    paneViews: () => (hasPaint() ? views : none),
    repaint: () => requestUpdate?.(),
  }
}

export const chartFont = { family: canvasFontFamily, sizePx: 11 } as const

export const smallFont = `500 ${chartFont.sizePx}px ${chartFont.family}`
