// Exponential moving average.
import { averagingWeights } from '../lib/averaging-weights.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { sourceInput } from '../lib/price-source.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

const inputs = { length: integerInput(inputText.length, 20, [1, 1000]), source: sourceInput } as const

/** EMA_i = EMA_(i-1) + 2 / (n + 1) * (x_i - EMA_(i-1)), starting with the SMA of the first n prices. Skips bars without a price. */
export const ema = defineStudy({
  id: 'ema',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'line', column: 'ema', label: plotText.ema, role: 'line-1' }],
  create: createState,
})

function createState({ length, source }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['ema'])
  const weights = averagingWeights({ length, weight: 2 / (length + 1) })
  const stored = new Float64Array(1)
  let known = 0

  const reset = () => {
    stored[0] = 0
    known = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const values = context.bars[source]
    const out = columns.ema
    let average = stored[0] as number
    let count = known
    for (let index = from; index < to; index += 1) {
      const value = values[index] as number
      out[index] = Number.NaN
      if (Number.isNaN(value)) continue
      if (count <= length) count += 1
      const weight = weights[count] as number
      average = average * (1 - weight) + weight * value
      if (count >= length) out[index] = average
    }
    if (!isClosed) return
    stored[0] = average
    known = count
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
