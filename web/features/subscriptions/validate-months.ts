// Validates a number of months typed by an admin.
import { readDecimal } from '#shared/base/decimal.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

/** Undefined for a number above 0; further limits are checked by the server. */
export function findMonthsIssue(typed: string): string | undefined {
  if (typed.trim() === '') return subscriptionText.monthsRequired
  const months = readDecimal(typed.trim())
  return Number.isFinite(months) && months > 0 ? undefined : subscriptionText.monthsInvalid
}
