// The rules of email, phone, name and password; the form shows them first, the server decides by them.
import { authText } from '#shared/text/en/auth.ts'

const emailMax = 254
const nameMax = 100
export const phoneDigits = 10
const passwordMin = 6
const passwordMax = 256
export const adminPasswordMin = 12

/** One class per part and no nested repetition, so the time is linear in the length. ASCII only: no look-alike twins. */
const emailPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
/** Control, bidi-override and invisible formatting characters; the joiners that Indian scripts need stay allowed. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u

/** Spaces off, lower case: the spelling under which an account is stored and found. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** True where the normalised email has the shape name@host.tld in ASCII and at most 254 characters. */
export function isEmail(email: string): boolean {
  return email.length <= emailMax && emailPattern.test(email)
}

/** Keeps digits only, at most ten, without India's code in front: what the phone field shows while one types or pastes. */
export function stripPhone(phone: string): string {
  return phone
    .replace(/^\s*(?:\+|00)\s*91/, '')
    .replace(/\D/g, '')
    .slice(0, phoneDigits)
}

/** True for a name of 1 to 100 characters without control, bidi or invisible ones. */
export function isName(name: string): boolean {
  return name !== '' && [...name].length <= nameMax && !unprintable.test(name)
}

export interface SignInForm {
  readonly email: string
  readonly password: string
}

export interface SignUpForm extends SignInForm {
  readonly name: string
  readonly phone: string
  readonly confirmPassword: string
}

export interface Fault<Field extends string> {
  readonly field: Field
  readonly message: string
}

/** First fault of a sign-in form in the spec's order, or undefined. */
export function findSignInFault(form: SignInForm): Fault<keyof SignInForm> | undefined {
  if (form.email.trim() === '') return { field: 'email', message: authText.fillRequired }
  if (form.password === '') return { field: 'password', message: authText.fillRequired }
  if (!isEmail(normaliseEmail(form.email))) return { field: 'email', message: authText.emailInvalid }
  return undefined
}

/** First fault of a sign-up form in the spec's order, or undefined. The block list of passwords is the server's. */
export function findSignUpFault(form: SignUpForm): Fault<keyof SignUpForm> | undefined {
  const common = findSignInFault(form)
  if (common !== undefined) return common
  if (form.name.trim() === '') return { field: 'name', message: authText.fillAll }
  if (form.phone.trim() === '') return { field: 'phone', message: authText.fillAll }
  if (form.confirmPassword === '') return { field: 'confirmPassword', message: authText.fillAll }
  if (!isName(form.name.trim())) return { field: 'name', message: authText.nameInvalid }
  if (!/^\d{10}$/.test(form.phone)) return { field: 'phone', message: authText.phoneLength }
  if (form.password !== form.confirmPassword) return { field: 'confirmPassword', message: authText.passwordsDiffer }
  return findPasswordFault(form.password)
}

/** Length rules of a new password, counted in characters as a person sees them. */
export function findPasswordFault(password: string): Fault<'password'> | undefined {
  const length = [...password].length
  if (length < passwordMin) return { field: 'password', message: authText.passwordShort }
  if (length > passwordMax) return { field: 'password', message: authText.passwordLong }
  return undefined
}
