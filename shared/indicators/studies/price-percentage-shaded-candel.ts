// Price Percentage Shaded Candles (Chart 6): colour strength by the size of the candle.
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { TopValues } from '../lib/top-values.ts'

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
 * over this bar and those before it, `window` in all, and at least one tick. `direction` is 1 if the bar closed above its open,
 * -1 below, 0 if equal: such a bar keeps its neutral colour, alpha 1. Bars without prices have no shade.
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
 * Three short loops instead of a long one: sizes, references, shades. Numbers are passed in columns
 * without boxing, a few bars at a time, so that each loop finds them in the L1 cache.
 */
function createState({ window }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['direction', 'alpha', 'percent'])
  const ranks = Int32Array.from({ length: window + 1 }, (_, count) => rankOf(count))
  const top = new TopValues(ranks)
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
      // Relative to the percentile, or to one tick if that is larger.
      const ofTick = size * Math.abs(open[index] as number) * ticksPerPercent
      const ofReference = size / (direction[index] as number)
      // Branch-free: the direction of a candle is unpredictable.
      direction[index] = Number(change > 0) - Number(change < 0)
      alpha[index] = change === 0 ? 1 : palest + (1 - palest) * Math.min(1, ofReference, ofTick)
    }
  }
  return incrementalState(context, { columns, grow, reset: () => top.reset(), run, provenance: () => 'prices' })
}

/** Rank of the percentile among this many values, counted from the largest. */
function rankOf(count: number): number {
  return count - Math.ceil((count * percentile) / 100) + 1
}
