// Supertrend.
import { averagingWeights } from '../lib/averaging-weights.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { trueRange } from '../lib/true-range.ts'

const inputs = {
  length: integerInput(inputText.length, 10, [1, 1000]),
  multiplier: { kind: 'number', label: inputText.multiplier, default: 3, min: 0.01, max: 100, step: 0.5, isInteger: false },
} as const

/**
 * Bands (H + L) / 2 +/- k * ATR(n) that only narrow while the close stays inside them. The line is the lower band
 * in an uptrend and the upper one in a downtrend; a close beyond it changes the trend. It starts as a downtrend,
 * unless the first close is above the upper band. `direction` is 1 up, -1 down. Skips bars without prices.
 */
export const supertrend = defineStudy({
  id: 'supertrend',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'line', column: 'supertrend', label: plotText.supertrend, role: 'line-1', direction: 'direction' }],
  create: createState,
})

function createState({ length, multiplier }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['supertrend', 'direction'])
  const weights = averagingWeights({ length, weight: 1 / length })
  // Previous close, average range, upper band, lower band.
  const stored = new Float64Array(4)
  let known = 0
  let wasUp = false

  const reset = () => {
    stored.fill(Number.NaN)
    stored[1] = 0
    known = 0
    wasUp = false
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const { high, low, close } = context.bars
    const outLine = columns.supertrend
    const outDirection = columns.direction
    let previousClose = stored[0] as number
    let average = stored[1] as number
    let upper = stored[2] as number
    let lower = stored[3] as number
    let count = known
    let isUp = wasUp
    for (let index = from; index < to; index += 1) {
      const barHigh = high[index] as number
      const barLow = low[index] as number
      const barClose = close[index] as number
      const range = trueRange(barHigh, barLow, previousClose)
      outLine[index] = Number.NaN
      outDirection[index] = Number.NaN
      if (Number.isNaN(range + barClose)) continue
      if (count < length) count += 1
      const weight = weights[count] as number
      average = average * (1 - weight) + weight * range
      if (count === length) {
        const middle = (barHigh + barLow) / 2
        const reach = multiplier * average
        // A NaN band, as at the start, is always replaced.
        if (!(middle + reach >= upper && previousClose <= upper)) upper = middle + reach
        if (!(middle - reach <= lower && previousClose >= lower)) lower = middle - reach
        isUp = isUp ? barClose >= lower : barClose > upper
        outLine[index] = isUp ? lower : upper
        outDirection[index] = isUp ? 1 : -1
      }
      previousClose = barClose
    }
    if (!isClosed) return
    stored[0] = previousClose
    stored[1] = average
    stored[2] = upper
    stored[3] = lower
    known = count
    wasUp = isUp
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
