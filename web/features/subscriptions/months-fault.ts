// What is faulty about a number of months that an admin typed.
import { readDecimal } from '#shared/base/decimal.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

/** Undefined where it is a number above 0; further limits are the server's. */
export function findMonthsFault(typed: string): string | undefined {
  if (typed.trim() === '') return subscriptionText.monthsRequired
  const months = readDecimal(typed.trim())
  return Number.isFinite(months) && months > 0 ? undefined : subscriptionText.monthsInvalid
}
