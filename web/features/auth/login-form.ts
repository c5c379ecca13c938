// The sign-in and sign-up form as values: what is typed, what is faulty, and how one changes the other.
import { findSignInFault, findSignUpFault, stripPhone, phoneDigits, type Fault, type SignUpForm } from '#shared/auth/rules.ts'
import { findTickFault, noTicks, type ConsentTicks } from '#shared/privacy/consent.ts'
import { authText } from '#shared/text/en/auth.ts'

export type LoginMode = 'sign-in' | 'sign-up'
export type LoginField = keyof SignUpForm

export interface LoginForm {
  readonly values: SignUpForm
  readonly ticks: ConsentTicks
  readonly fault: LoginFault | undefined
}

/** Of a field, or of a box of the consent. */
export type LoginFault = Fault<LoginField | keyof ConsentTicks>

export type LoginEvent =
  | { readonly type: 'typed'; readonly field: LoginField; readonly value: string }
  | { readonly type: 'ticked'; readonly box: keyof ConsentTicks; readonly isTicked: boolean }
  | { readonly type: 'faulted'; readonly fault: LoginFault }
  | { readonly type: 'cleared-faults' }
  | { readonly type: 'signed-up' }

export const emptyLoginForm: LoginForm = {
  values: { name: '', email: '', phone: '', password: '', confirmPassword: '' },
  ticks: noTicks,
  fault: undefined,
}

/** Typing and ticking mend the fault of their own field only; after a sign-up the email alone stays. */
export function reduceLogin(form: LoginForm, event: LoginEvent): LoginForm {
  if (event.type === 'typed') {
    const value = event.field === 'phone' ? stripPhone(event.value) : event.value
    return { ...form, values: { ...form.values, [event.field]: value }, fault: mended(form, event.field) }
  }
  if (event.type === 'ticked') return { ...form, ticks: { ...form.ticks, [event.box]: event.isTicked }, fault: mended(form, event.box) }
  if (event.type === 'faulted') return { ...form, fault: event.fault }
  if (event.type === 'cleared-faults') return { ...form, fault: undefined }
  return { ...emptyLoginForm, values: { ...emptyLoginForm.values, email: form.values.email } }
}

function mended(form: LoginForm, field: LoginFault['field']): LoginFault | undefined {
  return form.fault?.field === field ? undefined : form.fault
}

/** The first fault of the form by the shared rules, or undefined; the boxes of a sign-up come after its fields. */
export function findLoginFault(mode: LoginMode, { values, ticks }: Pick<LoginForm, 'values' | 'ticks'>): LoginFault | undefined {
  return mode === 'sign-up' ? (findSignUpFault(values) ?? findTickFault(ticks)) : findSignInFault(values)
}

/** The yellow hint while a phone number is begun but incomplete. */
export function phoneHintOf(phone: string): string | undefined {
  return phone !== '' && phone.length < phoneDigits ? authText.phoneLength : undefined
}

/** The first fault that the server named in a field of this form, or undefined. */
export function serverFaultOf(mode: LoginMode, fields: Readonly<Record<string, string>>): LoginFault | undefined {
  const shown: readonly LoginFault['field'][] =
    mode === 'sign-up' ? ['name', 'email', 'phone', 'password', 'confirmPassword', 'isAdult', 'isAgreed'] : ['email', 'password']
  for (const field of shown) {
    const message = fields[field]
    if (message !== undefined) return { field, message }
  }
  return undefined
}
