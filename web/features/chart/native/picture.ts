// Saves an image of the chart as a file, with a caption: what it shows, its data source and its time.
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { canvasFontFamily } from '#web/lib/canvas-font-family.ts'
import { readColours } from './chart-colours.ts'
import { pictureLines, wrapped, type PictureTexts } from './picture-lines.ts'

const edgePx = 12
/** Vertical centre of the first caption line, and the distance of the next ones. */
const [firstPx, linePx] = [17, 21]

const smallFont = `12px ${canvasFontFamily}`

export function savePicture(chart: HTMLCanvasElement, texts: PictureTexts): void {
  withHead(chart, texts).toBlob((blob) => {
    if (blob === null) return
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = chartText.pictureFile(texts.instrument.slug, timeframeLabel(texts.timeframe))
    link.click()
    // The browser reads the URL after this task.
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  })
}

function withHead(chart: HTMLCanvasElement, texts: PictureTexts): HTMLCanvasElement {
  const ratio = window.devicePixelRatio
  const picture = document.createElement('canvas')
  const pen = picture.getContext('2d')
  if (pen === null) return chart
  const { canvas, text, text2 } = readColours()
  const { title, name, facts, bar, studies } = pictureLines(texts, Date.now() + serverOffsetMs())
  const widthPx = chart.width / ratio
  pen.font = smallFont
  const fitting = (parts: readonly string[]) => wrapped(parts, widthPx - 2 * edgePx, (line) => pen.measureText(line).width)
  const rows = [facts, ...fitting(bar), ...fitting(studies)]
  const headPx = firstPx + rows.length * linePx + 14
  picture.width = chart.width
  picture.height = chart.height + headPx * ratio
  pen.fillStyle = canvas
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.drawImage(chart, 0, headPx * ratio)
  pen.scale(ratio, ratio)
  pen.textBaseline = 'middle'
  pen.font = `600 14px ${canvasFontFamily}`
  pen.fillStyle = text
  pen.fillText(title, edgePx, firstPx)
  const nameLeftPx = edgePx + pen.measureText(title).width + 12
  pen.font = smallFont
  pen.fillStyle = text2
  const attributionPx = pen.measureText(chartText.attribution).width
  const roomPx = widthPx - nameLeftPx - attributionPx - 2 * edgePx
  if (roomPx > 0) pen.fillText(name, nameLeftPx, firstPx, roomPx)
  // A narrow chart condenses the text: nothing of these lines may be cut off.
  for (const [at, row] of rows.entries()) pen.fillText(row, edgePx, firstPx + (at + 1) * linePx, widthPx - 2 * edgePx)
  pen.textAlign = 'right'
  pen.fillText(chartText.attribution, widthPx - edgePx, firstPx)
  return picture
}
