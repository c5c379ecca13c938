// Validates a number of months typed by an admin.
import { readDecimal } from '#shared/base/read-decimal.ts'
import { findMonthsIssue } from '#shared/subscriptions/months.ts'
import { subscriptionText } from '#shared/text/en/subscriptions.ts'

const sentences = {
  'subscriptions.monthsInvalid': subscriptionText.monthsInvalid,
  'subscriptions.monthsWhole': subscriptionText.monthsWhole,
} as const

/** The number, or the message about it. */
export function validateMonths(typed: string): { readonly months: number } | { readonly issue: string } {
  if (typed.trim() === '') return { issue: subscriptionText.monthsRequired }
  const months = readDecimal(typed.trim())
  const code = findMonthsIssue(months)
  return code === undefined ? { months } : { issue: sentences[code] }
}
