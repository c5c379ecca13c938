// Names and descriptions of the six premium toggles, in display order.
import { toggleText } from '#shared/chart/text/en-toggles.ts'
import { chartFlagNames, type ChartFlag } from './chart-flags.ts'

export interface Toggle {
  readonly flag: ChartFlag
  readonly label: string
  readonly name: string
  readonly explanation: string
}

/** Chart 1 to Chart 6. */
export const toggles: readonly Toggle[] = chartFlagNames.map((flag, index) => {
  const [name, explanation] = toggleText.meanings[flag]
  return { flag, label: toggleText.label(index + 1), name, explanation }
})
