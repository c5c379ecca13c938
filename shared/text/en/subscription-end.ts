// Texts about a request that is checked, and the end of premium: soon, or over, and why.
import { texts } from '../texts.ts'

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
