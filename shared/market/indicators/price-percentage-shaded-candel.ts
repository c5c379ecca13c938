// Price Percentage Shaded Candles (Chart 6): how strong a candle's colour is.
import { createOutputColumns } from './columns.ts'
import { incrementalState } from './incremental.ts'
import { integerInput, type InputValues } from './inputs.ts'
import { inputText, plotText } from '#shared/text/en/studies.ts'
import { defineStudy, type StudyContext } from './study.ts'
import { createTopValues } from './top-values.ts'

const inputs = { window: integerInput(inputText.shadeWindow, 200, [20, 1000]) } as const
const percentile = 95
const palest = 0.15
const barsAtOnce = 256

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * p = 100 * (C - O) / O; alpha = 0.15 + 0.85 * min(1, |p| / ref), ref being the 95th percentile of |p| (nearest rank)
 * over the bar itself and those before it, `window` in all, and never below one tick. `direction` is 1 where the bar closed above its open,
 * -1 below, 0 where both are equal: such a bar keeps its plain neutral colour, alpha 1. Bars without prices have no shade.
 */
export const pricePercentageShadedCandel = defineStudy({
  id: 'pricePercentageShadedCandel',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'shade', direction: 'direction', alpha: 'alpha', label: plotText.shade }],
  create: createState,
})

/**
 * Three short loops instead of a long one: the sizes, what they are compared with, the shades. Columns pass numbers on
 * without boxes, a few bars at a time, so that each loop finds them in the nearest cache.
 */
function createState({ window }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['direction', 'alpha', 'percent'])
  const ranks = Int32Array.from({ length: window + 1 }, (_, count) => rankOf(count))
  const top = createTopValues(ranks)
  const span = { from: 0, to: 0 }

  const run = (from: number, to: number, isClosed: boolean) => {
    for (let start = from; start < to; start = span.to) {
      span.from = start
      span.to = to - start > barsAtOnce ? start + barsAtOnce : to
      measure(span)
      if (isClosed) top.take(columns.alpha, columns.direction, span)
      else top.peek(columns.alpha, columns.direction, start)
      shade(span)
    }
  }
  const measure = ({ from, to }: Span) => {
    const { open, close } = context.bars
    const { alpha, percent } = columns
    for (let index = from; index < to; index += 1) {
      const barOpen = open[index] as number
      const change = (100 * ((close[index] as number) - barOpen)) / barOpen
      percent[index] = change
      alpha[index] = Math.abs(change)
    }
  }
  const shade = ({ from, to }: Span) => {
    const { open } = context.bars
    const { direction, alpha, percent } = columns
    const ticksPerPercent = 1 / (100 * context.tickSize)
    for (let index = from; index < to; index += 1) {
      const size = alpha[index] as number
      const change = percent[index] as number
      if (!(size < Number.POSITIVE_INFINITY)) {
        direction[index] = Number.NaN
        alpha[index] = Number.NaN
        percent[index] = Number.NaN
        continue
      }
      // Beside the percentile, or beside one tick where that is the larger.
      const ofTick = size * Math.abs(open[index] as number) * ticksPerPercent
      const ofReference = size / (direction[index] as number)
      // Arithmetic instead of branches: which way a candle goes cannot be foreseen.
      direction[index] = Number(change > 0) - Number(change < 0)
      alpha[index] = change === 0 ? 1 : palest + (1 - palest) * Math.min(1, ofReference, ofTick)
    }
  }
  return incrementalState(context, { columns, grow, reset: top.reset, run, provenance: () => 'prices' })
}

/** The percentile's place among so many values, counted from the largest. */
function rankOf(count: number): number {
  return count - Math.ceil((count * percentile) / 100) + 1
}
