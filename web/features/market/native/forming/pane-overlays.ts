// What stands above the library's picture of each pane: painted with that picture, and alone where a tick changes nothing else.
import type { IChartApi, IPaneApi, IPanePrimitive, IPrimitivePaneRenderer, Time } from 'lightweight-charts'
import type { Ratio } from './overlay-canvas.ts'

/** A pane as it is on the screen; lengths in device pixels. */
export interface PanePlace {
  readonly plot: HTMLElement
  readonly axis: HTMLElement
  readonly axisWidth: number
  readonly ratio: Ratio
  readonly width: number
  readonly height: number
}

export interface PanePart {
  paint(place: PanePlace): void
  /** Paints the same on a pen of the whole pane, for a picture to keep. */
  paintInto(pen: CanvasRenderingContext2D, place: PanePlace): void
  /** The same for what stands on the axis, whose corner the pen has as its own. */
  paintIntoAxis?(pen: CanvasRenderingContext2D, place: PanePlace): void
  hide(): void
}

export interface PaneOverlays {
  /** Returns how to take it away, which must happen before its pane goes. */
  add(pane: IPaneApi<Time>, part: PanePart): () => void
  /** Paints all parts where they are. */
  repaint(): void
  /** The whole chart as a picture to keep. */
  picture(): HTMLCanvasElement
}

interface Held {
  readonly primitive: IPanePrimitive
  readonly parts: PanePart[]
  place: PanePlace | undefined
  requestUpdate: (() => void) | undefined
}

/** `onPicture` is called in the frame of each picture of the library, behind the parts. */
export function paneOverlays(chart: IChartApi, onPicture: () => void): PaneOverlays {
  const held = new Map<IPaneApi<Time>, Held>()
  let isForKeeps = false

  function hold(pane: IPaneApi<Time>): Held {
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) =>
        target.useBitmapCoordinateSpace(({ context, bitmapSize: { width, height }, horizontalPixelRatio: x, verticalPixelRatio: y }) => {
          const cells = cellsOf(pane)
          if (cells === undefined) return
          const axisWidth = Math.round(pane.priceScale('right').width() * x)
          const place = { ...cells, axisWidth, ratio: { x, y }, width, height }
          own.place = place
          for (const part of own.parts) {
            if (isForKeeps) part.paintInto(context, place)
            else part.paint(place)
          }
          if (!isForKeeps) onPicture()
        }),
    }
    const views = [{ zOrder: () => 'normal' as const, renderer: () => renderer }]
    const own: Held = {
      parts: [],
      place: undefined,
      requestUpdate: undefined,
      primitive: {
        attached: ({ requestUpdate }) => void (own.requestUpdate = requestUpdate),
        paneViews: () => views,
      },
    }
    pane.attachPrimitive(own.primitive)
    held.set(pane, own)
    return own
  }

  return {
    add(pane, part) {
      const own = held.get(pane) ?? hold(pane)
      own.parts.push(part)
      return () => {
        part.hide()
        own.parts.splice(own.parts.indexOf(part), 1)
        if (own.parts.length > 0) return
        pane.detachPrimitive(own.primitive)
        held.delete(pane)
      }
    },
    repaint() {
      for (const { parts, place } of held.values()) if (place !== undefined) for (const part of parts) part.paint(place)
    },
    picture() {
      const repaint = () => held.values().forEach(({ requestUpdate }) => requestUpdate?.())
      isForKeeps = true
      repaint()
      const picture = chart.takeScreenshot(true, false)
      isForKeeps = false
      repaint()
      const pen = picture.getContext('2d')
      const corner = chart.chartElement().getBoundingClientRect()
      for (const { parts, place } of held.values()) {
        if (place === undefined || pen === null) continue
        const { left, top } = place.axis.getBoundingClientRect()
        pen.setTransform(1, 0, 0, 1, Math.round((left - corner.left) * place.ratio.x), Math.round((top - corner.top) * place.ratio.y))
        for (const part of parts) part.paintIntoAxis?.(pen, place)
      }
      return picture
    },
  }
}

/** The library has a row for each pane: left axis, plot, right axis. */
function cellsOf(pane: IPaneApi<Time>): Pick<PanePlace, 'plot' | 'axis'> | undefined {
  const [, plot, axis] = Array.from((pane.getHTMLElement() as HTMLTableRowElement | null)?.cells ?? [], (cell) => cell.firstElementChild)
  return plot instanceof HTMLElement && axis instanceof HTMLElement ? { plot, axis } : undefined
}
