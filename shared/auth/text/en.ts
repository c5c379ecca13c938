// Texts of sign-in and sign-up; texts of the specification are verbatim.
import { texts } from '#shared/text/texts.ts'

export const authText = texts('auth', {
  fillRequired: 'Please fill in all required fields',
  fillAll: 'Please fill in all fields',
  emailInvalid: 'Please enter a valid email address',
  phoneLength: 'Phone number must be 10 digits',
  phoneUnusual: 'Mobile numbers in India begin with 6 to 9',
  passwordsDiffer: 'Passwords do not match',
  passwordShort: 'Password must be at least 6 characters long',
  passwordLong: 'Password must be at most 256 characters long',
  nameInvalid: 'Please enter a name of at most 100 ordinary characters',
  signedUp: 'Account created successfully',
  signInFailed: 'Login failed. Please try again.',
  signUpFailedShort: 'Signup failed',
  signUpFailed: 'Signup failed. Please try again.',
  pleaseLogIn: 'Please log in with your new account',
})

/** Sentences that only the server sends: the browser does not load them. */
export const authServerText = texts('auth', {
  passwordCommon: 'This password is too common. Please choose another one',
  emailTaken: 'An account with this email already exists',
  emailWaits:
    'An account with this email already exists and is not confirmed. If the address is yours, open the link that we have just sent to it.',
  credentialsWrong: 'Invalid email or password',
  signedIn: 'Login successful',
  signedOut: 'Signed out successfully',
  tooManySignIns: 'Too many failed attempts. Please try again later.',
  tooManySignUps: 'Too many new accounts from this address. Please try again later.',
  sessionReplaced: 'You were signed out here because your account signed in on more than 20 devices. Please sign in again.',
  sessionMissing: 'Please sign in to continue',
  sessionNotFound: 'This session does not exist or has already ended',
  sessionEnded: 'Session ended',
})
