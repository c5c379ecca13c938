// A small canvas between the drawing library's picture and its crosshair, so that what changes with a tick costs no picture.

/** Device pixels of the cell that it stands in. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Device pixels for one of the page's. */
export interface Ratio {
  readonly x: number
  readonly y: number
}

export interface OverlayCanvas {
  /**
   * Moves and empties it; the pen paints in device pixels of the cell. None where the picture, told by its key,
   * is that of the last time, and has only been moved.
   */
  open(cell: HTMLElement, place: { readonly box: Box; readonly ratio: Ratio; readonly key?: string }): CanvasRenderingContext2D | undefined
  hide(): void
}

export function overlayCanvas(): OverlayCanvas {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d') ?? undefined
  // The library's picture has 1 and stands before it, its crosshair has 2.
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
