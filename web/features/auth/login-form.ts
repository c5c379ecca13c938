// State of the sign-in and sign-up form: values, errors and transitions.
import { findSignInIssue, findSignUpIssue, isUnusualPhone, typedPhone, phoneDigits, type SignUpForm } from '#shared/auth/rules.ts'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { findTickIssue, noTicks, type ConsentTicks } from '#shared/privacy/rules.ts'
import { authText } from '#shared/auth/text/en.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import { issueIn } from '#shared/text/texts.ts'

export type LoginMode = 'sign-in' | 'sign-up'
export type LoginField = keyof SignUpForm

export interface LoginForm {
  readonly values: SignUpForm
  readonly ticks: ConsentTicks
  readonly issue: LoginIssue | undefined
}

/** Error of a field, or of a consent box. */
export type LoginIssue = FieldMessage<LoginField | keyof ConsentTicks>

export type LoginEvent =
  | { readonly type: 'typed'; readonly field: LoginField; readonly value: string }
  | { readonly type: 'ticked'; readonly box: keyof ConsentTicks; readonly isTicked: boolean }
  | { readonly type: 'rejected'; readonly issue: LoginIssue }
  | { readonly type: 'cleared-issues' }
  | { readonly type: 'switched' }
  | { readonly type: 'signed-up' }

export const emptyLoginForm: LoginForm = {
  values: { name: '', email: '', phone: '', password: '', confirmPassword: '' },
  ticks: noTicks,
  issue: undefined,
}

/** True for the name of a field of either form. */
export function isLoginField(name: string): name is LoginField {
  return name in emptyLoginForm.values
}

/** True for the name of a consent box. */
export function isConsentBox(name: string): name is keyof ConsentTicks {
  return name in emptyLoginForm.ticks
}

/**
 * Typing and ticking clear the error of their own field only. Another form begins without the passwords of the last one; after a
 * sign-up only the email is kept.
 */
export function loginReducer(form: LoginForm, event: LoginEvent): LoginForm {
  if (event.type === 'typed') {
    const value = event.field === 'phone' ? typedPhone(event.value, form.values.phone) : event.value
    return { ...form, values: { ...form.values, [event.field]: value }, issue: issueWithout(form, event.field) }
  }
  if (event.type === 'ticked')
    return { ...form, ticks: { ...form.ticks, [event.box]: event.isTicked }, issue: issueWithout(form, event.box) }
  if (event.type === 'rejected') return { ...form, issue: event.issue }
  if (event.type === 'cleared-issues') return { ...form, issue: undefined }
  if (event.type === 'switched') return { ...form, values: { ...form.values, password: '', confirmPassword: '' }, issue: undefined }
  return { ...emptyLoginForm, values: { ...emptyLoginForm.values, email: form.values.email } }
}

function issueWithout(form: LoginForm, field: LoginIssue['field']): LoginIssue | undefined {
  return form.issue?.field === field ? undefined : form.issue
}

/** First error of the form by the shared rules, or undefined; the consent boxes come after the fields. */
export function findLoginIssue(mode: LoginMode, { values, ticks }: Pick<LoginForm, 'values' | 'ticks'>): LoginIssue | undefined {
  if (mode === 'sign-in') return issueIn(authText, findSignInIssue(values))
  return issueIn(authText, findSignUpIssue(values)) ?? issueIn(privacyText, findTickIssue(ticks))
}

/** Hint shown while a phone number is incomplete, or begins as no Indian mobile does. */
export function phoneHintOf(phone: string): string | undefined {
  if (phone !== '' && phone.length !== phoneDigits) return authText.phoneLength
  return isUnusualPhone(phone) ? authText.phoneUnusual : undefined
}

/** First error that the server reported for a field of this form, or undefined. */
export function serverLoginIssue(mode: LoginMode, fields: Readonly<Record<string, string>>): LoginIssue | undefined {
  const shown: readonly LoginIssue['field'][] =
    mode === 'sign-up' ? ['name', 'email', 'phone', 'password', 'confirmPassword', 'isAdult', 'isAgreed'] : ['email', 'password']
  for (const field of shown) {
    const message = fields[field]
    if (message !== undefined) return { field, message }
  }
  return undefined
}
