// Text of a sign-out that failed: every page loads it, unlike the texts of the sign-in.
export const signOutText = {
  failed: 'Failed to sign out. Please try again.',
} as const
