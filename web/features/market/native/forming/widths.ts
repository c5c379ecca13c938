// How wide the drawing library makes a bar, so that the forming one looks like those before it.

/** What a width depends on: the distance of two bars on the page, and how many device pixels one of the page's has. */
export interface Spacing {
  readonly spacingPx: number
  readonly ratio: number
}

/** One pixel of the page as whole device pixels: a wick, a border, a line of the grid. */
export const hairOf = (ratio: number) => Math.max(1, Math.floor(ratio))

/** Body of a candle, device pixels: the whole distance where bars are close together, and down to four fifths of it where they are wide. */
export function candleWidth({ spacingPx, ratio }: Spacing): number {
  const part = 1 - (0.2 * Math.atan(Math.max(0, spacingPx - 4))) / (Math.PI / 2)
  const full = spacingPx >= 2.5 && spacingPx <= 4 ? 3 : spacingPx * part
  return centred(Math.max(hairOf(ratio), Math.floor(full * ratio)), ratio)
}

/** Stem of a bar with open and close at its sides, device pixels. */
export function stemWidth({ spacingPx, ratio }: Spacing): number {
  return centred(Math.max(hairOf(ratio), Math.floor(spacingPx * 0.3 * ratio)), ratio)
}

/** Column of a histogram, device pixels: all but a gap. */
export function columnWidth({ spacingPx, ratio }: Spacing): number {
  const gap = Math.ceil(spacingPx * ratio) <= 1 ? 0 : hairOf(ratio)
  return Math.max(1, Math.round(spacingPx * ratio) - gap)
}

/** Even where a hair is even, so that the crosshair runs through the middle. */
function centred(width: number, ratio: number): number {
  return width >= 2 && width % 2 !== hairOf(ratio) % 2 ? width - 1 : width
}
