// Pivot Points Standard (Chart 4): levels of each period from the previous one.
import { type Timeframe } from '#shared/candles/timeframe.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type ChoiceInput, type InputValues } from '../lib/study-input.ts'
import { type PeriodKind } from '../lib/period-kind.ts'
import { pivotNames, pivotTypes, type PivotType } from '../lib/write-pivot-levels.ts'
import { PivotList } from '../lib/pivot-list.ts'
import { type Provenance } from '../lib/provenance.ts'
import { inputText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'

const typeInput: ChoiceInput<PivotType> = {
  kind: 'choice',
  label: inputText.pivotType,
  default: 'traditional',
  options: pivotTypes.map((value) => ({ value, label: inputText.pivotTypes[value] })),
}
const timeframeInput: ChoiceInput<PeriodKind | 'auto'> = {
  kind: 'choice',
  label: inputText.pivotTimeframe,
  default: 'auto',
  options: (['auto', 'day', 'week', 'month'] as const).map((value) => ({ value, label: inputText.pivotTimeframes[value] })),
}
const inputs = {
  type: typeInput,
  timeframe: timeframeInput,
  pivotsBack: integerInput(inputText.pivotsBack, 15, [1, 200]),
  isDailyBased: { kind: 'flag', label: inputText.isDailyBased, default: true },
} as const

/** The automatic period of a chart: a day up to 15m, a week below 1D, else a month. */
export function pivotPeriodOf(timeframe: Timeframe): PeriodKind {
  if (timeframe === '1D' || timeframe === '1W' || timeframe === '1M') return 'month'
  return Number(timeframe) <= 15 ? 'day' : 'week'
}

/**
 * Levels of the latest `pivotsBack` periods by the formulas of write-pivot-levels.ts, from the bars of the previous period on
 * the chart, or from the exchange's own bar of it if available and daily-based values are on. The first
 * period on the chart gives levels only if it is complete. Empty without period ids.
 */
export const pivotpoint = defineStudy({
  id: 'pivotpoint',
  provenances: ['prices', 'official-periods', 'no-periods'],
  inputs,
  pane: 'price',
  plots: [
    {
      kind: 'levels',
      names: pivotNames,
      roles: pivotNames.map((name) => (name === 'P' ? 'pivot' : name.startsWith('R') ? 'resistance' : 'support')),
      isWeighted: false,
    },
  ],
  create: createState,
})

function createState({ type, timeframe, pivotsBack, isDailyBased }: InputValues<typeof inputs>, context: StudyContext) {
  const kind = timeframe === 'auto' ? pivotPeriodOf(context.timeframe) : timeframe
  const list = new PivotList(context, { type, kind, pivotsBack, isDailyBased })
  const provenance = (): Provenance => {
    if (context.periods === undefined) return 'no-periods'
    return isDailyBased && context.periods.official?.[kind] !== undefined ? 'official-periods' : 'prices'
  }
  return incrementalState(context, {
    levels: list.levels,
    reset: () => list.reset(),
    run: (from, to, isClosed) => list.run(from, to, isClosed),
    provenance,
  })
}
