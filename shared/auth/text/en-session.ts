// Texts of sessions that end, and of limits of sign-ins.
import { texts } from '#shared/text/texts.ts'

export const signOutText = texts('signOut', {
  failed: 'Failed to sign out. Please try again.',
})

/** Texts of the dialog that asks for a sign-in after the session has ended. */
export const sessionEndedText = texts('sessionEnded', {
  title: 'Your session has ended. Sign in again',
  text: 'You return to where you were, and what you have entered is kept.',
  submit: 'Sign in',
  otherAccount: 'Use another account',
})

/** Texts about sign-in limits. */
export const signInLimitsText = texts('signInLimits', {
  solving: 'Checking your browser...',
  solvingNote:
    'There were too many failed attempts on this account or from your network. Your device is solving a short puzzle to show that you are not a bot. This takes a few seconds.',
})
