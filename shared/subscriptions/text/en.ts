// Texts of subscriptions: purchase, decisions and changes; texts of the specification are verbatim.
import { texts } from '#shared/text/texts.ts'

export const subscriptionText = texts('subscriptions', {
  dialogTitle: 'Premium Subscription',
  fillOrderId: 'Please fill in Order ID field.',
  fillUtr: 'Please fill in UTR No. field.',
  selectOption: 'Please select a payment option.',
  utrInvalid:
    'This is not a UTR: UPI and IMPS have 12 digits, NEFT 16 characters, RTGS 22. Look for "UTR" or "UPI Ref No" in your payment app.',
  orderIdInvalid: 'This is not an Order ID: it has 18 or 19 digits, or is the transaction hash of your transfer.',
  utrHelp: 'UTR is a 12-digit number',
  orderIdHelp: 'The crypto order ID is 18 digits',
  pendingTitle: 'Request Pending',
  pendingText: 'Your subscription request is being processed. Please wait for approval.',
  submitted: 'Your subscription request has been submitted',
  submitFailed: 'Failed to submit data',
  accepted: 'Subscription accepted',
  declined: 'Request declined',
  monthsRequired: 'Please enter the number of months',
  monthsInvalid: 'Please enter a valid number greater than 0',
  monthsWhole: 'Enter a whole number from 1 to 120',
  monthsUpdated: 'Subscription months updated successfully',
  monthsFailed: 'An error occurred while updating subscription months',
  becamePremium: 'Your subscription is active. All charts are open.',
  lostPremium: 'Your premium access has ended',
})

/** Sentences that only the server sends: the browser does not load them. */
export const subscriptionServerText = texts('subscriptions', {
  alreadyPending: 'You already have a pending request',
  referenceUsed: 'This reference has already been used for another request',
  planChanged: 'The plan has changed, please reload',
  noSuchUser: 'There is no such user',
  suspended: 'Subscription suspended',
  undone: 'Undone. Everything is as it was before.',
  undoNotPossible: 'This cannot be undone any more, because the subscription has changed since.',
  undoTooLate: 'This cannot be undone any more. An undo is possible for one hour.',
  nothingLeft: 'Nothing is left of the earlier term',
  noMonths: 'Set the subscription months before accepting',
})
