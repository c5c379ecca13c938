// Texts of the sign-in and sign-up screen; validation messages are in en.ts.
import { texts } from '#shared/text/texts.ts'

export const loginText = texts('login', {
  signInTitle: 'Sign in',
  codeTitle: 'Enter your code',
  signUpTitle: 'Create your account',
  signInSubmit: 'Sign in to Dashboard',
  signUpSubmit: 'Create Account',
  signInBusy: 'Signing in...',
  signUpBusy: 'Creating account...',
  name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  password: 'Password',
  confirmPassword: 'Confirm password',
  forgotPassword: 'Forgot password?',
  newHere: 'New here?',
  toSignUp: 'Create an account',
  haveAccount: 'Already have an account?',
  toSignIn: 'Sign in',
  cookiesBlocked: 'This browser blocks cookies. Allow them for this site to sign in.',
  phoneHint: '10 digits, without the country code',
})
