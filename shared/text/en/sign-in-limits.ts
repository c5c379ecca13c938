// Texts about sign-in limits; separate from auth.ts, which the landing page loads.
import { texts } from '../texts.ts'

export const signInLimitsText = texts('signInLimits', {
  solving: 'Checking your browser...',
  solvingNote:
    'There were too many failed attempts on this account or from your network. Your device is solving a short puzzle to show that you are not a bot. This takes a few seconds.',
})
