// Area between two lines of a study: one part for closed bars, one for the forming bar.
import type { StudyContext } from '#shared/indicators/lib/study.ts'
import type { Plot } from '#shared/indicators/lib/plot.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import type { FormingSource } from '../live-bar/overlay.ts'
import { roleColour } from '../role-colour.ts'
import { painter, type Canvas, type Painter } from './painter.ts'
import type { Plane } from './coordinates.ts'

export interface BandOptions {
  readonly plane: Plane
  readonly plot: Extract<Plot, { kind: 'band' }>
  /** Read again in each frame: full columns are replaced by longer ones. */
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly colours: () => ChartColours
  /** First bar of the forming group; the number of bars where it is not in the window. */
  readonly formingFrom: () => number
}

interface Edge {
  readonly x: number
  readonly upperY: number
  readonly lowerY: number
}

const opacity = 0.1

const colourOf = ({ colours, plot }: BandOptions) => faded(roleColour(colours(), plot.role), opacity)

/** The part of the band that leads to the forming bar. */
export function bandTip({ context, ...options }: BandOptions & { readonly context: StudyContext }): FormingSource {
  const { plane, plot, columns, formingFrom } = options
  return {
    place: () => undefined,
    sprite(ratioY) {
      const [last, before] = [context.bars.length - 1, formingFrom() - 1]
      const yOf = (name: string, index: number) => (plane.yOf(columns[name]?.[index] ?? Number.NaN) ?? Number.NaN) * ratioY
      const [upperY, lowerY] = [yOf(plot.upper, last), yOf(plot.lower, last)]
      const [beforeUpperY, beforeLowerY] = [yOf(plot.upper, before), yOf(plot.lower, before)]
      const hasBand = !Number.isNaN(upperY + lowerY + beforeUpperY + beforeLowerY)
      return hasBand ? { kind: 'band', upperY, lowerY, beforeUpperY, beforeLowerY, colour: colourOf(options) } : undefined
    },
  }
}

export function bandPainter(options: BandOptions): Painter {
  return painter('bottom', (canvas) => {
    canvas.pen.fillStyle = colourOf(options)
    let stretch: Edge[] = []
    for (const edge of edgesOf(options, canvas.width)) {
      if (edge !== undefined) stretch.push(edge)
      else {
        fill(canvas, stretch)
        stretch = []
      }
    }
    fill(canvas, stretch)
  })
}

/** Both edges at every visible bar, or once per pixel where bars are narrower; undefined where there is no band. */
function* edgesOf({ plane, plot, columns, formingFrom }: BandOptions, width: number): Generator<Edge | undefined> {
  const [upper, lower] = [columns[plot.upper], columns[plot.lower]]
  if (upper === undefined || lower === undefined) return
  const view = plane.view()
  const [from, to] = [Math.max(0, view.from), Math.min(formingFrom() - 1, view.to)]
  const step = Math.max(1, Math.floor((to - from) / Math.max(1, width)))
  for (let index = from - (from % step); index <= to; index += step) {
    const [upperY, lowerY] = [upper[index], lower[index]].map((value) => plane.yOf(value ?? Number.NaN)) as [number | null, number | null]
    const hasBand = !Number.isNaN((upper[index] ?? Number.NaN) - (lower[index] ?? Number.NaN))
    yield hasBand && upperY !== null && lowerY !== null ? { x: plane.xOf(index), upperY, lowerY } : undefined
  }
}

function fill({ pen }: Canvas, stretch: readonly Edge[]): void {
  if (stretch.length < 2) return
  pen.beginPath()
  for (const { x, upperY } of stretch) pen.lineTo(x, upperY)
  for (const { x, lowerY } of stretch.toReversed()) pen.lineTo(x, lowerY)
  pen.fill()
}
