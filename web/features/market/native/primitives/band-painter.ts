// The area between two lines of a study: up to the last closed bar, and from there to the forming one.
import type { StudyContext } from '#shared/market/indicators/study.ts'
import type { Plot } from '#shared/market/indicators/plots.ts'
import { faded, type ChartColours } from '../chart-colours.ts'
import type { FormingSource } from '../forming/forming-strip.ts'
import { roleColour } from '../role-colour.ts'
import { painter, type Canvas, type Painter } from './painter.ts'
import type { Plane } from './plane.ts'

export interface BandNeeds {
  readonly plane: Plane
  readonly plot: Extract<Plot, { kind: 'band' }>
  /** Read anew at each picture: longer columns take the place of full ones. */
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly colours: () => ChartColours
  /** First bar of those that the forming one is drawn with; one more than there are where it is not in the window. */
  readonly formingFrom: () => number
}

interface Edge {
  readonly x: number
  readonly upperY: number
  readonly lowerY: number
}

const opacity = 0.1

const colourOf = ({ colours, plot }: BandNeeds) => faded(roleColour(colours(), plot.role), opacity)

/** The way of the band to the forming bar. */
export function bandTip({ context, ...needs }: BandNeeds & { readonly context: StudyContext }): FormingSource {
  const { plane, plot, columns, formingFrom } = needs
  return {
    place: () => undefined,
    sprite(ratioY) {
      const [last, before] = [context.bars.length - 1, formingFrom() - 1]
      const yOf = (name: string, index: number) => (plane.yOf(columns[name]?.[index] ?? Number.NaN) ?? Number.NaN) * ratioY
      const [upperY, lowerY] = [yOf(plot.upper, last), yOf(plot.lower, last)]
      const [beforeUpperY, beforeLowerY] = [yOf(plot.upper, before), yOf(plot.lower, before)]
      const hasBand = !Number.isNaN(upperY + lowerY + beforeUpperY + beforeLowerY)
      return hasBand ? { kind: 'band', upperY, lowerY, beforeUpperY, beforeLowerY, colour: colourOf(needs) } : undefined
    },
  }
}

export function bandPainter(needs: BandNeeds): Painter {
  return painter('bottom', (canvas) => {
    canvas.pen.fillStyle = colourOf(needs)
    let stretch: Edge[] = []
    for (const edge of edgesOf(needs, canvas.width)) {
      if (edge !== undefined) stretch.push(edge)
      else {
        fill(canvas, stretch)
        stretch = []
      }
    }
    fill(canvas, stretch)
  })
}

/** Both lines at every bar in view, or at one of several where bars are narrower than a pixel; undefined where there is no band. */
function* edgesOf({ plane, plot, columns, formingFrom }: BandNeeds, width: number): Generator<Edge | undefined> {
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
