// Texts of the development page that shows sent emails.
import { texts } from '../texts.ts'

export const mailOutboxText = texts('mailOutbox', {
  title: 'Mail outbox',
  intro: 'Mails that this development server would have sent, newest first. They are kept until it stops, the last 100 of them.',
  empty: 'No mail has been sent yet.',
  to: (address: string) => `To ${address}`,
})
