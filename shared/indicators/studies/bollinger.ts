// Bollinger bands.
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { sourceInput } from '../lib/price-source.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { clearTails } from '../lib/sum-tails.ts'

const inputs = {
  length: integerInput(inputText.length, 20, [1, 1000]),
  deviations: { kind: 'number', label: inputText.deviations, default: 2, min: 0.001, max: 50, step: 0.5, isInteger: false },
  source: sourceInput,
} as const

/**
 * Middle = SMA(n), bands = middle +/- k * sd with the population's standard deviation (divided by n) of the same n
 * prices. No value before the n-th bar, nor while the window has a bar without a price.
 */
export const bollinger = defineStudy({
  id: 'bollinger',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [
    { kind: 'band', upper: 'upper', lower: 'lower', role: 'band' },
    { kind: 'line', column: 'middle', label: plotText.middle, role: 'line-2' },
    { kind: 'line', column: 'upper', label: plotText.upper, role: 'line-1' },
    { kind: 'line', column: 'lower', label: plotText.lower, role: 'line-1' },
  ],
  create: createState,
})

/** For the last 0, 1, ... n prices of the previous block, from its end: distances from its last price, and their squares. */
interface Tails {
  readonly sums: Float64Array
  readonly squares: Float64Array
}

/**
 * As in sma.ts the window is the end of one block and the start of the next. Each part sums distances from one of its
 * own prices, not prices: as that price is in the window, the squares cannot exceed the band by more than n, and no digits are lost
 * if the price is large and the band narrow.
 */
function createState({ length, deviations, source }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['middle', 'upper', 'lower'])
  const tails: Tails = { sums: new Float64Array(length + 1), squares: new Float64Array(length + 1) }
  const share = 1 / length
  // Current block: first price, distances from it and their squares; last price of the previous block.
  const stored = new Float64Array(4)
  let position = 0

  const reset = () => {
    clearTails(tails.sums)
    clearTails(tails.squares)
    stored.fill(0)
    position = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const values = context.bars[source]
    const { middle, upper, lower } = columns
    const { sums, squares } = tails
    let origin = stored[0] as number
    let sum = stored[1] as number
    let square = stored[2] as number
    let tailOrigin = stored[3] as number
    let at = position
    for (let index = from; index < to; index += 1) {
      const value = values[index] as number
      if (at === 0) origin = value
      at += 1
      const distance = value - origin
      sum += distance
      square += distance * distance
      // Distances of the tail, relative to this block's origin.
      const tailSum = sums[at] as number
      const apart = tailOrigin - origin
      const shift = apart * (length - at)
      const total = sum + tailSum + shift
      const spread = square + (squares[at] as number) + apart * (tailSum + tailSum + shift) - total * total * share
      const centre = origin + total * share
      const reach = deviations * Math.sqrt(spread * share)
      middle[index] = centre
      upper[index] = centre + reach
      lower[index] = centre - reach
      if (at === length && isClosed) {
        // An unknown price already makes all tails unknown, and must not persist as their origin.
        tailOrigin = Number.isNaN(value) ? 0 : value
        measureTails(values, index, { tails, origin: tailOrigin })
        at = 0
        sum = 0
        square = 0
      }
    }
    if (!isClosed) return
    stored[0] = origin
    stored[1] = sum
    stored[2] = square
    stored[3] = tailOrigin
    position = at
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}

function measureTails(values: Float64Array, last: number, { tails, origin }: { readonly tails: Tails; readonly origin: number }): void {
  const { sums, squares } = tails
  const end = sums.length - 1
  let sum = 0
  let square = 0
  for (let back = 1; back <= end; back += 1) {
    const distance = (values[last + 1 - back] as number) - origin
    sum += distance
    square += distance * distance
    sums[end - back] = sum
    squares[end - back] = square
  }
}
