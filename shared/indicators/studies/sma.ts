// Simple moving average.
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { sourceInput } from '../lib/price-source.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { clearTails, sumTails } from '../lib/sum-tails.ts'

const inputs = { length: integerInput(inputText.length, 20, [1, 1000]), source: sourceInput } as const

/** SMA_i = (x_i + ... + x_(i-n+1)) / n; no value before the n-th bar, nor while the window has a bar without a price. */
export const sma = defineStudy({
  id: 'sma',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'line', column: 'sma', label: plotText.sma, role: 'line-1' }],
  create: createState,
})

/** The window is the end of the last whole block of n bars plus the start of the current one: see sum-tails.ts. */
function createState({ length, source }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['sma'])
  const tailSums = new Float64Array(length + 1)
  const stored = new Float64Array(1)
  let position = 0

  const reset = () => {
    clearTails(tailSums)
    stored[0] = 0
    position = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const values = context.bars[source]
    const out = columns.sma
    let sum = stored[0] as number
    let at = position
    for (let index = from; index < to; index += 1) {
      sum += values[index] as number
      at += 1
      out[index] = ((tailSums[at] as number) + sum) / length
      if (at === length && isClosed) {
        sumTails(values, index, tailSums)
        at = 0
        sum = 0
      }
    }
    if (!isClosed) return
    stored[0] = sum
    position = at
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
