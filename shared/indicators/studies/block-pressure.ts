// Block Pressure (Chart 1): which side closes the candles, weighted by volume.
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { clearTails, sumTails } from '../lib/sum-tails.ts'

const inputs = { length: integerInput(inputText.length, 20, [1, 1000]) } as const
const blockTotal = 10

/**
 * BP = sum(m * v) / sum(v) over n bars, m = ((C - L) - (H - C)) / (H - L), 0 where H = L, drawn as -100 to 100: our
 * definition, Chaikin Money Flow in blocks. `blocks` = round(10 * (1 + BP) / 2) are the buyers' of ten. Without volume every bar weighs 1;
 * no value if nothing was traded or the window has a bar with unknown price or volume.
 */
export const blockPressure = defineStudy({
  id: 'blockPressure',
  provenances: ['volume', 'no-volume-equal-weight'],
  inputs,
  pane: 'own',
  range: [-100, 100],
  plots: [
    { kind: 'histogram', column: 'pressure', label: plotText.pressure },
    { kind: 'gauge', column: 'blocks', total: blockTotal, label: plotText.blocks },
    { kind: 'guide', value: 80, role: 'guide' },
    { kind: 'guide', value: 40, role: 'guide' },
    { kind: 'guide', value: 0, role: 'guide' },
    { kind: 'guide', value: -40, role: 'guide' },
    { kind: 'guide', value: -80, role: 'guide' },
  ],
  create: createState,
})

/** Window sums as in sma.ts. */
function createState({ length }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['pressure', 'blocks'])
  const blockFlows = new Float64Array(length)
  const blockVolumes = new Float64Array(length)
  const tailFlows = new Float64Array(length + 1)
  const tailVolumes = new Float64Array(length + 1)
  const stored = new Float64Array(2)
  let position = 0

  const reset = () => {
    clearTails(tailFlows)
    clearTails(tailVolumes)
    stored.fill(0)
    position = 0
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const { high, low, close, volume } = context.bars
    const { pressure, blocks } = columns
    const { hasVolume } = context
    let flow = stored[0] as number
    let total = stored[1] as number
    let at = position
    for (let index = from; index < to; index += 1) {
      const barHigh = high[index] as number
      const barLow = low[index] as number
      const barClose = close[index] as number
      const range = barHigh - barLow
      const barVolume = hasVolume ? (volume[index] as number) : 1
      const place = range === 0 && !Number.isNaN(barClose) ? 0 : (barClose - barLow - (barHigh - barClose)) / range
      const barFlow = place * barVolume
      flow += barFlow
      total += barVolume
      blockFlows[at] = barFlow
      blockVolumes[at] = barVolume
      at += 1
      const share = (flow + (tailFlows[at] as number)) / (total + (tailVolumes[at] as number))
      pressure[index] = 100 * share
      // Not Math.round, whose branch is unpredictable here.
      blocks[index] = Math.floor((blockTotal * (1 + share)) / 2 + 0.5)
      if (at === length && isClosed) {
        sumTails(blockFlows, length - 1, tailFlows)
        sumTails(blockVolumes, length - 1, tailVolumes)
        at = 0
        flow = 0
        total = 0
      }
    }
    if (!isClosed) return
    stored[0] = flow
    stored[1] = total
    position = at
  }
  return incrementalState(context, {
    columns,
    grow,
    reset,
    run,
    provenance: () => (context.hasVolume ? 'volume' : 'no-volume-equal-weight'),
  })
}
