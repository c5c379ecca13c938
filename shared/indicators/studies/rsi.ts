// Relative strength index, with Wilder's smoothing.
import { averagingWeights } from '../lib/averaging-weights.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { sourceInput } from '../lib/price-source.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

const inputs = { length: integerInput(inputText.length, 14, [1, 1000]), source: sourceInput } as const

/**
 * RSI = 100 * G / (G + L), G and L being the averages of gains and losses: first the mean of n changes, then
 * a + (x - a) / n (Wilder, 1978). 100 without losses. Skips bars without a price.
 */
export const rsi = defineStudy({
  id: 'rsi',
  provenances: ['prices'],
  inputs,
  pane: 'own',
  range: [0, 100],
  plots: [
    { kind: 'line', column: 'rsi', label: plotText.rsi, role: 'line-1' },
    { kind: 'guide', value: 70, role: 'guide' },
    { kind: 'guide', value: 30, role: 'guide' },
  ],
  create: createState,
})

function createState({ length, source }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['rsi'])
  const weights = averagingWeights({ length, weight: 1 / length })
  // Previous price, average gain, average loss.
  const stored = new Float64Array(3)
  let known = 0

  const reset = () => {
    stored.fill(0)
    stored[0] = Number.NaN
    known = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const values = context.bars[source]
    const out = columns.rsi
    let previous = stored[0] as number
    let gains = stored[1] as number
    let losses = stored[2] as number
    let count = known
    for (let index = from; index < to; index += 1) {
      const value = values[index] as number
      const change = value - previous
      out[index] = Number.NaN
      if (!Number.isNaN(value)) previous = value
      if (Number.isNaN(change)) continue
      if (count < length) count += 1
      const weight = weights[count] as number
      // Branch-free and exact: the direction of the price is unpredictable.
      const size = Math.abs(change)
      gains = gains * (1 - weight) + weight * ((size + change) / 2)
      losses = losses * (1 - weight) + weight * ((size - change) / 2)
      if (count === length) out[index] = losses > 0 ? 100 * (gains / (gains + losses)) : 100
    }
    if (!isClosed) return
    stored[0] = previous
    stored[1] = gains
    stored[2] = losses
    known = count
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
