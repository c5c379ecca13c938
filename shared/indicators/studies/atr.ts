// Average true range, with Wilder's smoothing.
import { averagingWeights } from '../lib/averaging-weights.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { trueRange } from '../lib/true-range.ts'

const inputs = { length: integerInput(inputText.length, 14, [1, 1000]) } as const

/** ATR_i = ATR_(i-1) + (TR_i - ATR_(i-1)) / n, first the mean of the first n true ranges (Wilder, 1978). Skips bars without prices. */
export const atr = defineStudy({
  id: 'atr',
  provenances: ['prices'],
  inputs,
  pane: 'own',
  plots: [{ kind: 'line', column: 'atr', label: plotText.atr, role: 'line-1' }],
  create: createState,
})

function createState({ length }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['atr'])
  const weights = averagingWeights({ length, weight: 1 / length })
  // Previous close, average.
  const stored = new Float64Array(2)
  let known = 0

  const reset = () => {
    stored[0] = Number.NaN
    stored[1] = 0
    known = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const { high, low, close } = context.bars
    const out = columns.atr
    let previousClose = stored[0] as number
    let average = stored[1] as number
    let count = known
    for (let index = from; index < to; index += 1) {
      const barClose = close[index] as number
      const range = trueRange(high[index] as number, low[index] as number, previousClose)
      out[index] = Number.NaN
      if (Number.isNaN(range + barClose)) continue
      previousClose = barClose
      if (count < length) count += 1
      const weight = weights[count] as number
      average = average * (1 - weight) + weight * range
      if (count === length) out[index] = average
    }
    if (!isClosed) return
    stored[0] = previousClose
    stored[1] = average
    known = count
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
