// Moving average convergence divergence.
import { averagingWeights } from '../lib/averaging-weights.ts'
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { sourceInput } from '../lib/price-source.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

const inputs = {
  fastLength: integerInput(inputText.fastLength, 12, [1, 1000]),
  slowLength: integerInput(inputText.slowLength, 26, [1, 1000]),
  signalLength: integerInput(inputText.signalLength, 9, [1, 1000]),
  source: sourceInput,
} as const

/**
 * MACD = EMA(fast) - EMA(slow), signal = EMA(MACD), histogram = MACD - signal; each EMA starts with the SMA of its
 * first values (see ema.ts). Skips bars without a price.
 */
export const macd = defineStudy({
  id: 'macd',
  provenances: ['prices'],
  inputs,
  pane: 'own',
  plots: [
    { kind: 'histogram', column: 'histogram', label: plotText.histogram },
    { kind: 'line', column: 'macd', label: plotText.macd, role: 'line-1' },
    { kind: 'line', column: 'signal', label: plotText.signal, role: 'line-2' },
    { kind: 'guide', value: 0, role: 'guide' },
  ],
  create: createState,
})

function createState(values: InputValues<typeof inputs>, context: StudyContext) {
  const { fastLength, slowLength, signalLength, source } = values
  const { columns, grow } = createOutputColumns(['macd', 'signal', 'histogram'])
  const longest = Math.max(fastLength, slowLength)
  // Number of prices at the first signal, and where counting stops: one more.
  const signalFrom = longest + signalLength - 1
  const enough = signalFrom + 1
  const fastWeights = averagingWeights({ length: fastLength, weight: 2 / (fastLength + 1) }, enough)
  const slowWeights = averagingWeights({ length: slowLength, weight: 2 / (slowLength + 1) }, enough)
  const signalWeights = averagingWeights({ length: signalLength, weight: 2 / (signalLength + 1), skipped: longest - 1 }, enough)
  // Fast, slow and signal: initial means, later the averages.
  const stored = new Float64Array(3)
  let known = 0

  const reset = () => {
    stored.fill(0)
    known = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const prices = context.bars[source]
    const outMacd = columns.macd
    const outSignal = columns.signal
    const outHistogram = columns.histogram
    let fast = stored[0] as number
    let slow = stored[1] as number
    let signal = stored[2] as number
    let count = known
    for (let index = from; index < to; index += 1) {
      const price = prices[index] as number
      outMacd[index] = Number.NaN
      outSignal[index] = Number.NaN
      outHistogram[index] = Number.NaN
      if (Number.isNaN(price)) continue
      if (count < enough) count += 1
      const fastWeight = fastWeights[count] as number
      const slowWeight = slowWeights[count] as number
      const signalWeight = signalWeights[count] as number
      fast = fast * (1 - fastWeight) + fastWeight * price
      slow = slow * (1 - slowWeight) + slowWeight * price
      const difference = fast - slow
      signal = signal * (1 - signalWeight) + signalWeight * difference
      if (count >= longest) outMacd[index] = difference
      if (count < signalFrom) continue
      outSignal[index] = signal
      outHistogram[index] = difference - signal
    }
    if (!isClosed) return
    stored[0] = fast
    stored[1] = slow
    stored[2] = signal
    known = count
  }
  return incrementalState(context, { columns, grow, reset, run, provenance: () => 'prices' })
}
