// Texts of the dialog that asks for a sign-in after the session has ended.
import { texts } from '../texts.ts'

export const sessionEndedText = texts('sessionEnded', {
  title: 'Your session has ended. Sign in again',
  text: 'You return to where you were, and what you have entered is kept.',
  submit: 'Sign in',
  otherAccount: 'Use another account',
})
