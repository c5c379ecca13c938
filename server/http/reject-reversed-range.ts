// Rejects a range of days that ends before it starts, which would find nothing.
import { isReversed, type DayRange } from '#shared/base/day-range.ts'
import { AppError } from '#shared/http/app-error.ts'

/** @throws AppError invalid at the field `to` */
export function rejectReversedRange(range: DayRange): void {
  if (isReversed(range)) throw new AppError('invalid', 'dates.reversed', { fields: { to: 'dates.reversed' } })
}
