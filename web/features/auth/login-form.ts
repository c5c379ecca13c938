// The sign-in and sign-up form as values: what is typed, what is faulty, and how one changes the other.
import { findSignInFault, findSignUpFault, stripPhone, phoneDigits, type Fault, type SignUpForm } from '#shared/auth/rules.ts'
import { authText } from '#shared/text/en/auth.ts'

export type LoginMode = 'sign-in' | 'sign-up'
export type LoginField = keyof SignUpForm

export interface LoginForm {
  readonly values: SignUpForm
  readonly fault: Fault<LoginField> | undefined
}

export type LoginEvent =
  | { readonly type: 'typed'; readonly field: LoginField; readonly value: string }
  | { readonly type: 'faulted'; readonly fault: Fault<LoginField> }
  | { readonly type: 'cleared-faults' }
  | { readonly type: 'signed-up' }

export const emptyLoginForm: LoginForm = {
  values: { name: '', email: '', phone: '', password: '', confirmPassword: '' },
  fault: undefined,
}

/** Typing mends the fault of its own field only; after a sign-up the email alone stays. */
export function reduceLogin(form: LoginForm, event: LoginEvent): LoginForm {
  if (event.type === 'typed') {
    const value = event.field === 'phone' ? stripPhone(event.value) : event.value
    return { values: { ...form.values, [event.field]: value }, fault: form.fault?.field === event.field ? undefined : form.fault }
  }
  if (event.type === 'faulted') return { ...form, fault: event.fault }
  if (event.type === 'cleared-faults') return { ...form, fault: undefined }
  return { ...emptyLoginForm, values: { ...emptyLoginForm.values, email: form.values.email } }
}

/** The first fault of the form by the shared rules, or undefined. */
export function findLoginFault(mode: LoginMode, values: SignUpForm): Fault<LoginField> | undefined {
  return mode === 'sign-up' ? findSignUpFault(values) : findSignInFault(values)
}

/** The yellow hint while a phone number is begun but incomplete. */
export function phoneHintOf(phone: string): string | undefined {
  return phone !== '' && phone.length < phoneDigits ? authText.phoneLength : undefined
}

/** The first fault that the server named in a field of this form, or undefined. */
export function serverFaultOf(mode: LoginMode, fields: Readonly<Record<string, string>>): Fault<LoginField> | undefined {
  const shown: readonly LoginField[] =
    mode === 'sign-up' ? ['name', 'email', 'phone', 'password', 'confirmPassword'] : ['email', 'password']
  for (const field of shown) {
    const message = fields[field]
    if (message !== undefined) return { field, message }
  }
  return undefined
}
