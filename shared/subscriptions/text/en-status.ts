// Statuses of a subscription as the specification writes them, and why one has ended.
import { texts } from '#shared/text/texts.ts'

export const statusText = texts('statuses', {
  pending: 'pending',
  paid: 'paid',
  cancel: 'cancel',
  expired: 'expired',
  suspended: 'suspended',
  declined: 'declined',
})

/** Who changed a subscription, where that is no email. */
export const actorText = texts('subscriptionActors', {
  automatic: 'Automatic',
  'former-admin': 'Former admin',
  user: 'User',
  admin: 'Admin',
  support: 'Support',
})

/** Texts about a request that is checked, and the end of premium: soon, or over, and why. */
export const subscriptionEndText = texts('subscriptionEnd', {
  titles: {
    expired: 'Your premium has expired',
    suspended: 'Your subscription is suspended',
    declined: 'Your request was declined',
  },
  notes: {
    expired: (end: string) => `It ended on ${end}. Renew to open all charts again.`,
    suspended: (end: string) => `Your premium access was ended on ${end}. Ask support before you pay again.`,
    declined: () => 'Your payment could not be confirmed. Check the reference, or ask support if this is a mistake.',
  },
  endsOn: (end: string) => `Your premium ends on ${end}.`,
  endedOn: (end: string) => `Your premium ended on ${end}.`,
  renew: 'Renew',
  seeRequest: 'See request',
})
