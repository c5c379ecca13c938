// Who changed a subscription, where that is no email.
import { texts } from '../texts.ts'

export const actorText = texts('subscriptionActors', {
  automatic: 'Automatic',
  'former-admin': 'Former admin',
  user: 'User',
  admin: 'Admin',
  support: 'Support',
})
