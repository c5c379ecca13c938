// Chart background: session breaks, and markers of corporate actions and missing candles.
import type { CorporateAction } from '#shared/candles/corporate-actions.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import { painter, smallFont, type Canvas, type Painter } from './painter.ts'
import type { Plane } from './coordinates.ts'

export interface PlacedAction {
  readonly action: CorporateAction
  /** First bar on or after its day. */
  readonly index: number
}

export interface GroundOptions {
  readonly plane: Plane
  readonly colours: () => ChartColours
  /** Whether session breaks are drawn. */
  readonly hasBreaks: () => boolean
  readonly dayAt: (index: number) => number
  readonly length: () => number
  readonly actions: () => readonly PlacedAction[]
  /** Bars before which candles are missing. */
  readonly missing: () => readonly number[]
}

/** Breaks closer than this are not drawn. */
const breakGapPx = 48
const letters: Readonly<Record<CorporateAction['kind'], string>> = { split: 'S', bonus: 'B', demerger: 'D', rename: 'N' }

export function sessionBreaks(options: GroundOptions): Painter {
  const { plane, colours, hasBreaks, dayAt, length } = options
  const paint = ({ pen, height }: Canvas) => {
    const breaks: number[] = []
    const { from, to } = plane.view()
    const start = Math.max(1, from)
    if (start >= length()) return
    let day = dayAt(start - 1)
    for (let index = start; index < Math.min(length(), to); index += 1) {
      const before = day
      day = dayAt(index)
      if (day === before) continue
      breaks.push((plane.xOf(index) + plane.xOf(index - 1)) / 2)
      const [first = 0, second = Number.POSITIVE_INFINITY] = breaks
      if (second - first < breakGapPx) return
    }
    pen.strokeStyle = faded(colours().lineStrong, 0.8)
    pen.setLineDash([3, 4])
    pen.beginPath()
    for (const x of breaks) {
      pen.moveTo(Math.round(x) + 0.5, 0)
      pen.lineTo(Math.round(x) + 0.5, height)
    }
    pen.stroke()
  }
  return painter('bottom', paint, hasBreaks)
}

const badgePx = 16
const missingHeightPx = 10

export function actionMarks({ plane, colours, actions }: GroundOptions): Painter {
  const paint = ({ pen, height }: Canvas) => {
    const { accent, canvas } = colours()
    const { from, to } = plane.view()
    pen.font = smallFont
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    const used = new Map<number, number>()
    for (const { action, index } of actions()) {
      if (index < from || index > to) continue
      // Several actions on one day are stacked.
      const place = used.get(index) ?? 0
      used.set(index, place + 1)
      const x = plane.xOf(index)
      const y = height - 14 - place * (badgePx + 3)
      pen.fillStyle = canvas
      pen.strokeStyle = accent
      pen.beginPath()
      pen.arc(x, y, badgePx / 2, 0, 2 * Math.PI)
      pen.fill()
      pen.stroke()
      pen.fillStyle = accent
      pen.fillText(letters[action.kind], x, y + 0.5)
    }
  }
  return painter('top', paint, () => actions().length > 0)
}

/** A short stroke at the time axis, between the bars around each missing candle. */
export function missingMarks({ plane, colours, missing }: GroundOptions): Painter {
  const paint = ({ pen, height }: Canvas) => {
    const { from, to } = plane.view()
    pen.strokeStyle = colours().down
    pen.lineWidth = 2
    pen.beginPath()
    for (const index of missing()) {
      if (index < from || index > to) continue
      const x = Math.round((plane.xOf(index) + plane.xOf(index - 1)) / 2)
      pen.moveTo(x, height - missingHeightPx)
      pen.lineTo(x, height)
    }
    pen.stroke()
  }
  return painter('top', paint, () => missing().length > 0)
}
