// Overlays between the library's chart canvas and its crosshair canvas: painted with every library frame, alone when a tick changes nothing else.
import type { IChartApi, IPaneApi, IPanePrimitive, IPrimitivePaneRenderer, Time } from 'lightweight-charts'

/** Layout of a pane on the screen; lengths in device pixels. */
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
  /** Paints the same into a context of the whole pane, for a saved image. */
  paintInto(pen: CanvasRenderingContext2D, place: PanePlace): void
  /** The same for the axis, with the context's origin at its corner. */
  paintIntoAxis?(pen: CanvasRenderingContext2D, place: PanePlace): void
  hide(): void
}

interface Held {
  readonly primitive: IPanePrimitive
  readonly parts: PanePart[]
  place: PanePlace | undefined
  requestUpdate: (() => void) | undefined
}

/** The callback runs in each frame that the library paints, after the parts. */
export class PaneOverlays {
  readonly #chart: IChartApi
  readonly #onPaint: () => void
  readonly #held = new Map<IPaneApi<Time>, Held>()
  /** Paints into the library's own canvas, for a saved image. */
  #isForKeeps = false

  constructor(chart: IChartApi, onPaint: () => void) {
    this.#chart = chart
    this.#onPaint = onPaint
  }

  /** Adds it above or below the others; returns a remove function, which must be called before the pane is removed. */
  add(pane: IPaneApi<Time>, part: PanePart, order: 'top' | 'bottom' = 'top'): () => void {
    const own = this.#held.get(pane) ?? this.#hold(pane)
    if (order === 'top') own.parts.push(part)
    else own.parts.unshift(part)
    return () => {
      part.hide()
      own.parts.splice(own.parts.indexOf(part), 1)
      if (own.parts.length > 0) return
      pane.detachPrimitive(own.primitive)
      this.#held.delete(pane)
    }
  }

  /** Repaints all parts in place. */
  repaint(): void {
    for (const { parts, place } of this.#held.values()) if (place !== undefined) for (const part of parts) part.paint(place)
  }

  /** The whole chart as an image to save. */
  picture(): HTMLCanvasElement {
    const repaint = () => this.#held.values().forEach(({ requestUpdate }) => requestUpdate?.())
    this.#isForKeeps = true
    repaint()
    const picture = this.#chart.takeScreenshot(true, false)
    this.#isForKeeps = false
    repaint()
    const pen = picture.getContext('2d')
    const corner = this.#chart.chartElement().getBoundingClientRect()
    for (const { parts, place } of this.#held.values()) {
      if (place === undefined || pen === null) continue
      const { left, top } = place.axis.getBoundingClientRect()
      pen.setTransform(1, 0, 0, 1, Math.round((left - corner.left) * place.ratio.x), Math.round((top - corner.top) * place.ratio.y))
      for (const part of parts) part.paintIntoAxis?.(pen, place)
    }
    return picture
  }

  #hold(pane: IPaneApi<Time>): Held {
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) =>
        target.useBitmapCoordinateSpace(({ context, bitmapSize: { width, height }, horizontalPixelRatio: x, verticalPixelRatio: y }) => {
          const cells = cellsOf(pane)
          if (cells === undefined) return
          const axisWidth = Math.round(pane.priceScale('right').width() * x)
          own.place = { ...cells, axisWidth, ratio: { x, y }, width, height }
          this.#paint(own.parts, own.place, context)
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
    this.#held.set(pane, own)
    return own
  }

  #paint(parts: readonly PanePart[], place: PanePlace, context: CanvasRenderingContext2D): void {
    for (const part of parts) {
      if (this.#isForKeeps) part.paintInto(context, place)
      else part.paint(place)
    }
    if (!this.#isForKeeps) this.#onPaint()
  }
}

/** The library has a table row for each pane: left axis, plot, right axis. */
function cellsOf(pane: IPaneApi<Time>): Pick<PanePlace, 'plot' | 'axis'> | undefined {
  const [, plot, axis] = Array.from((pane.getHTMLElement() as HTMLTableRowElement | null)?.cells ?? [], (cell) => cell.firstElementChild)
  return plot instanceof HTMLElement && axis instanceof HTMLElement ? { plot, axis } : undefined
}

/** Device pixels within its cell. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Device pixels per CSS pixel. */
export interface Ratio {
  readonly x: number
  readonly y: number
}

export interface OverlayCanvas {
  /**
   * Moves and clears the canvas; returns a context in device pixels of the cell. Returns undefined where the content
   * key is unchanged: the canvas was only moved and needs no repaint.
   */
  open(cell: HTMLElement, place: { readonly box: Box; readonly ratio: Ratio; readonly key?: string }): CanvasRenderingContext2D | undefined
  hide(): void
}

export function overlayCanvas(): OverlayCanvas {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d') ?? undefined
  // The library's chart canvas has z-index 1 and precedes it in the DOM; its crosshair canvas has 2.
  Object.assign(canvas.style, { position: 'absolute', left: '0', top: '0', zIndex: '1', pointerEvents: 'none' })
  let shownPlace = ''
  let shownKey: string | undefined

  return {
    open(cell, { box: { left, top, width, height }, ratio, key }) {
      if (width < 1 || height < 1) {
        canvas.remove()
        return undefined
      }
      if (canvas.parentElement !== cell) cell.append(canvas)
      const place = `${left} ${top} ${width} ${height} ${ratio.x} ${ratio.y}`
      if (place !== shownPlace) {
        shownPlace = place
        canvas.style.width = `${width / ratio.x}px`
        canvas.style.height = `${height / ratio.y}px`
        canvas.style.transform = `translate(${left / ratio.x}px,${top / ratio.y}px)`
      }
      const isSized = canvas.width === width && canvas.height === height
      if (isSized && key !== undefined && key === shownKey) return undefined
      shownKey = key
      if (isSized) {
        pen?.setTransform(1, 0, 0, 1, 0, 0)
        pen?.clearRect(0, 0, width, height)
      } else {
        canvas.width = width
        canvas.height = height
      }
      pen?.setTransform(1, 0, 0, 1, -left, -top)
      return pen
    },
    hide: () => canvas.remove(),
  }
}
