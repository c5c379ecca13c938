// Sentences about what an admin's decision will do, from the server's preview.
import { monthLabel } from '#shared/plans/plan.ts'
import type { TermPreview } from '#shared/subscriptions/contract.ts'
import { decisionText as text } from '#shared/subscriptions/text/en-decisions.ts'
import { indiaDate, none } from '#web/lib/india-date.ts'

/** Whether an acceptance leaves a choice: a restored rest, or a term that nobody has paid for. */
export function hasTermChoice({ restEnd, newEnd, reference, isReferenceUsed }: TermPreview): boolean {
  return newEnd !== null && (restEnd !== null || isReferenceUsed || reference === null)
}

/** The person, and what changes until when; the choice between terms is shown beside it. */
export function decisionEffect(action: 'accept' | 'decline' | 'suspend', name: string, term: TermPreview): string {
  const reference = term.reference ?? none
  if (action === 'suspend') return term.premiumEnd === null ? text.suspendEnded(name) : text.suspendEffect(name, indiaDate(term.premiumEnd))
  if (action === 'decline')
    return term.premiumEnd === null ? text.declineEffect(name, reference) : text.declineKeeps(name, reference, indiaDate(term.premiumEnd))
  if (term.newEnd === null) return text.acceptWithoutMonths(name)
  if (term.isReferenceUsed) return text.referenceUsed(reference)
  if (term.reference === null) return text.noPayment(name)
  if (term.restEnd !== null) return text.referenceUnused(reference)
  return text.acceptEffect(name, indiaDate(term.newEnd), monthLabel(term.months), reference)
}

/** What other months do to the end of premium. */
export function monthsEffect({ monthsEnd, premiumEnd, newEnd }: TermPreview, nowMs: number): string {
  if (monthsEnd === null) return newEnd === null ? text.monthsOnly : text.monthsGranted(indiaDate(newEnd))
  if (Date.parse(monthsEnd) <= nowMs) return text.monthsOver(indiaDate(monthsEnd))
  return monthsEnd === premiumEnd ? text.monthsStay(indiaDate(monthsEnd)) : text.monthsMove(indiaDate(monthsEnd), indiaDate(premiumEnd))
}
