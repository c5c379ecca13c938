// Texts of an admin's decisions on subscriptions: confirmations, undo, and what other months do.
import { texts } from '#shared/text/texts.ts'

export const decisionText = texts('adminDecisions', {
  acceptTitle: (name: string) => `Accept ${name}?`,
  declineTitle: (name: string) => `Decline the request of ${name}?`,
  suspendTitle: (name: string) => `Suspend ${name}?`,
  acceptEffect: (name: string, end: string, months: string, reference: string) =>
    `${name} gets premium until ${end}: ${months} from now, for the payment ${reference}.`,
  acceptWithoutMonths: (name: string) => `${name} has no subscription months. Set them first.`,
  choice: (name: string) => `What ${name} gets`,
  rest: 'The rest of the earlier term',
  restEffect: (end: string) => `Premium until ${end}. Only the unused paid days are restored.`,
  newTerm: (months: string) => `A new term of ${months}`,
  newEffect: (end: string) => `Premium until ${end}.`,
  referenceUsed: (reference: string) => `The payment ${reference} has already paid for a term. A new term comes without a new payment.`,
  noPayment: (name: string) => `No payment of ${name} is on record. A new term comes without one.`,
  referenceUnused: (reference: string) => `The payment ${reference} has not paid for a term yet.`,
  nothingLeft: 'Nothing is left of the earlier term.',
  declineEffect: (name: string, reference: string) => `The payment ${reference} is declined. ${name} gets no premium.`,
  declineKeeps: (name: string, reference: string, end: string) =>
    `The payment ${reference} is declined. ${name} keeps premium until ${end}, which was paid before.`,
  suspendEffect: (name: string, end: string) => `${name} loses premium now, instead of on ${end}.`,
  suspendEnded: (name: string) => `The term of ${name} is over. The status changes to cancel.`,
  /** Also of the server, when a decision comes too late. */
  notPossible: 'This is not possible any more, because the status has changed. Please reload.',
  rowGone: (name: string) => `${name} is no longer on this page of the list. The status is checked again when you confirm.`,
  undoNote: 'You can undo this for an hour.',
  undo: 'Undo',
  undoes: (command: string) => `Undone: ${command}`,

  monthsMove: (end: string, before: string) => `Premium will end on ${end}, instead of ${before}.`,
  monthsStay: (end: string) => `Premium ends on ${end}.`,
  monthsOver: (end: string) => `Premium will end now, because ${end} is over.`,
  monthsGranted: (end: string) => `If accepted now, premium will end on ${end}.`,
  monthsOnly: 'No term is running, so no date changes.',
})
