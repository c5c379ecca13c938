// Days, weeks and months: which column of ids belongs to them, and the exchange's own bar before one of them.
import { type OfficialPeriods } from './study.ts'

export type PeriodKind = 'day' | 'week' | 'month'

export const idColumns = { day: 'dayId', week: 'weekId', month: 'monthId' } as const

/** Index of the last period with an id below the given one; -1 where there is none. */
export function findPreviousPeriod({ id, length }: OfficialPeriods, currentId: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((id[middle] as number) < currentId) low = middle + 1
    else high = middle
  }
  return low - 1
}
