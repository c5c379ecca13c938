// A picture of the chart as a file, with what it shows and where the prices come from written on it.
import type { Instrument } from '#shared/market/instruments.ts'
import { timeframeLabel, type Timeframe } from '#shared/market/timeframe.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { badgesOf } from '../condition-text.ts'
import type { ShownMarket } from '../shown-market.ts'
import { readColours } from './chart-colours.ts'

export interface PictureTexts {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  /** What kind of prices these are, and whether they still came when the picture was taken. */
  readonly market: Pick<ShownMarket, 'condition' | 'isConnected'> | undefined
}

const headPx = 34

export function savePicture(chart: HTMLCanvasElement, texts: PictureTexts): void {
  withHead(chart, texts).toBlob((blob) => {
    if (blob === null) return
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = chartText.pictureFile(texts.instrument.slug, timeframeLabel(texts.timeframe))
    link.click()
    // The browser reads the address after this turn.
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  })
}

/** A picture travels alone: without this line its prices would have no label. */
function withHead(chart: HTMLCanvasElement, { instrument, timeframe, market }: PictureTexts): HTMLCanvasElement {
  const ratio = window.devicePixelRatio
  const picture = document.createElement('canvas')
  picture.width = chart.width
  picture.height = chart.height + headPx * ratio
  const pen = picture.getContext('2d')
  if (pen === null) return chart
  const { canvas, text, text2 } = readColours()
  pen.fillStyle = canvas
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.drawImage(chart, 0, headPx * ratio)
  pen.scale(ratio, ratio)
  pen.textBaseline = 'middle'
  pen.font = "600 14px 'Inter Variable', sans-serif"
  pen.fillStyle = text
  const title = `${instrument.label}  ${timeframeLabel(timeframe)}`
  pen.fillText(title, 12, headPx / 2)
  const afterTitle = 12 + pen.measureText(title).width + 12
  pen.font = "12px 'Inter Variable', sans-serif"
  pen.fillStyle = text2
  pen.fillText([instrument.name, labelText(market)].filter((part) => part !== '').join('   '), afterTitle, headPx / 2)
  pen.textAlign = 'right'
  pen.fillText(chartText.attribution, picture.width / ratio - 12, headPx / 2)
  return picture
}

function labelText(market: PictureTexts['market']): string {
  return market === undefined
    ? ''
    : badgesOf(market)
        .map(({ text }) => text)
        .join(', ')
}
