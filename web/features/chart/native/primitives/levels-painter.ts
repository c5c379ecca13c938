// Horizontal levels of a study, for example pivots or supports, with labels at the right end.
import type { LevelList } from '#shared/indicators/lib/level-list.ts'
import type { Plot } from '#shared/indicators/lib/plot.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import { volumeText } from '#web/features/market-data/price-text.ts'
import { roleColour } from '../role-colour.ts'
import { painter, smallFont, type Canvas, type Painter } from './painter.ts'
import type { Plane } from './coordinates.ts'

type LevelsPlot = Extract<Plot, { kind: 'levels' }>

export interface LevelsOptions {
  readonly plane: Plane
  readonly plot: LevelsPlot
  readonly levels: LevelList
  readonly colours: () => ChartColours
  readonly isVolume: boolean
  readonly lastIndex: () => number
}

/** No label with its margins is narrower than this. */
const leastLabelledPx = 10

export function levelsPainter(options: LevelsOptions): Painter {
  return painter('normal', (canvas) => {
    const { from, to } = options.plane.view()
    canvas.pen.font = smallFont
    for (let at = 0; at < options.levels.count; at += 1) {
      const isSeen = (options.levels.toIndex[at] as number) >= from && (options.levels.fromIndex[at] as number) <= to
      if (isSeen) paintLevel(canvas, options, at)
    }
  })
}

function paintLevel(
  { pen, width }: Canvas,
  { plane, plot, levels, colours, isVolume, lastIndex: lastOf }: LevelsOptions,
  at: number,
): void {
  const y = plane.yOf(levels.price[at] as number)
  if (y === null) return
  const code = levels.code[at] as number
  const lastIndex = lastOf()
  const share = plot.isWeighted ? (levels.share[at] as number) : 0
  const [start, end] = [plane.xOf(levels.fromIndex[at] as number), Math.min(width, plane.xOf(levels.toIndex[at] as number) + 2)]
  const colour = roleColour(colours(), plot.roles[code] ?? 'neutral')
  pen.strokeStyle = faded(colour, 0.85)
  pen.lineWidth = 1 + Math.round(3 * (Number.isNaN(share) ? 0 : share))
  pen.beginPath()
  pen.moveTo(start, Math.round(y) + 0.5)
  pen.lineTo(end, Math.round(y) + 0.5)
  pen.stroke()
  // Short past levels have no space for a label, and measuring text is the most expensive step here.
  if (end - Math.max(0, start) < leastLabelledPx && (levels.toIndex[at] as number) < lastIndex) return
  const volume = levels.volume[at] as number
  const label = [plot.names[code] ?? '', plot.isWeighted && isVolume && !Number.isNaN(volume) ? volumeText(volume) : '']
    .filter((part) => part !== '')
    .join(' ')
  const labelWidth = pen.measureText(label).width
  pen.fillStyle = colour
  pen.textAlign = 'left'
  // Behind the last bar there is space beside the line; elsewhere the label is drawn on the line.
  const isBeside = (levels.toIndex[at] as number) >= lastIndex && end + labelWidth + 6 < width
  pen.textBaseline = isBeside ? 'middle' : 'bottom'
  if (isBeside) pen.fillText(label, end + 5, y + 0.5)
  else if (end - Math.max(0, start) >= labelWidth + 4) pen.fillText(label, end - labelWidth - 2, y - 2)
}
