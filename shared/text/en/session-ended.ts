// Texts of the dialog that asks for a sign-in after the session has ended.
export const sessionEndedText = {
  title: 'Your session has ended. Sign in again',
  text: 'You return to where you were, and what you have entered is kept.',
  submit: 'Sign in',
  otherAccount: 'Use another account',
} as const
