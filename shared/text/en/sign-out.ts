// Text of a sign-out that failed: every page loads it, unlike the texts of the sign-in.
import { texts } from '../texts.ts'

export const signOutText = texts('signOut', {
  failed: 'Failed to sign out. Please try again.',
})
