// Statuses of a subscription as the specification writes them, and why one has ended.
import { texts } from '../texts.ts'

export const statusText = texts('statuses', {
  pending: 'pending',
  paid: 'paid',
  cancel: 'cancel',
  expired: 'expired',
  suspended: 'suspended',
  declined: 'declined',
})
