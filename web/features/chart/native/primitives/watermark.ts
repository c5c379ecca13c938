// Watermark for generated prices: they must not be mistaken for market prices, also in a saved image.
import { chartText } from '#shared/chart/text/en.ts'
import { canvasFontFamily as family } from '#web/lib/canvas-font-family.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import { painter, type Canvas, type Painter } from './painter.ts'

export function watermark(colours: () => ChartColours, isDemo: () => boolean): Painter {
  const paint = ({ pen, width, height }: Canvas) => {
    const largePx = Math.min(84, width / 5)
    const smallPx = Math.max(11, largePx / 4.5)
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillStyle = faded(colours().text, 0.12)
    pen.font = `600 ${largePx}px ${family}`
    pen.fillText(chartText.watermark, width / 2, height / 2 - smallPx, width)
    pen.fillStyle = faded(colours().text, 0.24)
    pen.font = `500 ${smallPx}px ${family}`
    pen.fillText(chartText.watermarkNote, width / 2, height / 2 + largePx / 2, width)
  }
  return painter('bottom', paint, isDemo)
}
