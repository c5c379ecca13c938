// Volume weighted average price, anchored to the session.
import { createOutputColumns } from '../lib/bar-columns.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { type ChoiceInput, type InputValues } from '../lib/study-input.ts'
import { idColumns, type PeriodKind } from '../lib/period-kind.ts'
import { type Provenance } from '../lib/provenance.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

const anchorInput: ChoiceInput<PeriodKind> = {
  kind: 'choice',
  label: inputText.anchor,
  default: 'day',
  options: (['day', 'week', 'month'] as const).map((value) => ({ value, label: inputText.anchors[value] })),
}
const inputs = { anchor: anchorInput } as const

/**
 * Sum of (H + L + C) / 3 * volume over sum of volume, since the session (week, month) started. No value without volume
 * or without sessions; a bar with unknown price or volume is skipped.
 */
export const vwap = defineStudy({
  id: 'vwap',
  provenances: ['volume', 'no-volume', 'no-periods'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'line', column: 'vwap', label: plotText.vwap, role: 'line-1', partedBy: 'anchor' }],
  create: createState,
})

function createState({ anchor }: InputValues<typeof inputs>, context: StudyContext) {
  const { columns, grow } = createOutputColumns(['vwap'])
  // Id of the session, its sums of price times volume and of volume.
  const stored = new Float64Array(3)
  const provenance = (): Provenance => {
    if (!context.hasVolume) return 'no-volume'
    return context.periods === undefined ? 'no-periods' : 'volume'
  }
  const reset = () => {
    stored.fill(0)
    stored[0] = Number.NaN
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    const { high, low, close, volume } = context.bars
    const out = columns.vwap
    const ids = context.hasVolume ? context.periods?.[idColumns[anchor]] : undefined
    if (ids === undefined) {
      out.fill(Number.NaN, from, to)
      return
    }
    let session = stored[0] as number
    let money = stored[1] as number
    let units = stored[2] as number
    for (let index = from; index < to; index += 1) {
      const id = ids[index] as number
      if (id !== session) {
        session = id
        money = 0
        units = 0
      }
      const barVolume = volume[index] as number
      const barMoney = (((high[index] as number) + (low[index] as number) + (close[index] as number)) / 3) * barVolume
      out[index] = Number.NaN
      if (Number.isNaN(barMoney)) continue
      money += barMoney
      units += barVolume
      if (units > 0) out[index] = money / units
    }
    if (!isClosed) return
    stored[0] = session
    stored[1] = money
    stored[2] = units
  }
  return incrementalState(context, { columns, grow, reset, run, provenance })
}
