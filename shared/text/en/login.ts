// Labels and sentences of the sign-in and sign-up screen; the messages of its rules are in auth.ts.
export const loginText = {
  signInTitle: 'Sign in',
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
  phoneHint: '10 digits, without the country code',
  dataUse:
    'We keep your name, email, phone number and sign-in history only to run and protect your account; write to support to see, correct or delete them.',
} as const
