// Period helpers: the id column of a period kind, and the exchange's own bar of the previous period.
import { binarySearch } from '#shared/base/binary-search.ts'
import { type OfficialPeriods } from './study.ts'

export type PeriodKind = 'day' | 'week' | 'month'

export const idColumns = { day: 'dayId', week: 'weekId', month: 'monthId' } as const

/** Index of the last period with an id below the given one; -1 where there is none. */
export function findPreviousPeriod({ id, length }: OfficialPeriods, currentId: number): number {
  return binarySearch(length, (index) => (id[index] as number) >= currentId) - 1
}
