// Validates the months that an admin sets.
import { monthsMax } from '#shared/plans/plan.ts'

/** The code of the message for a number that is not above 0, or that is not a whole one up to the longest plan; NaN for other text. */
export function findMonthsIssue(months: number): 'subscriptions.monthsInvalid' | 'subscriptions.monthsWhole' | undefined {
  if (!Number.isFinite(months) || months <= 0) return 'subscriptions.monthsInvalid'
  return Number.isInteger(months) && months <= monthsMax ? undefined : 'subscriptions.monthsWhole'
}
