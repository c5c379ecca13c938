// Validation rules for email, phone, name and password, shared by form and server.
import type { authText } from '#shared/auth/text/en.ts'
import type { CodeOf, Issue } from '#shared/messages/message.ts'

type AuthIssue<Field extends string> = Issue<Field, CodeOf<'auth', typeof authText>>

const emailMax = 254
const nameMax = 100
export const phoneDigits = 10
const passwordMin = 6
const passwordMax = 256
export const adminPasswordMin = 12

/** One class per part and no nested repetition, so the match is linear in the length. ASCII only: no homographs. */
const emailPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
/** Control, bidi override and invisible formatting characters; the joiners that Indian scripts need are allowed. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u

/** Trimmed and in lower case: the form in which an email is stored and looked up. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** True if the normalised email has the form name@host.tld in ASCII and at most 254 characters. */
export function isEmail(email: string): boolean {
  return email.length <= emailMax && emailPattern.test(email)
}

/** Eleven and twelve digits are a number behind `0` or `91`. */
const typedDigitsMax = 12

/**
 * The phone field after typing or pasting: digits, also Devanagari ones, without India's prefix. `0` goes with the eleventh
 * digit and `91` with the twelfth, because a number may begin with either; more than ten digits stay only until then.
 * @param before the field before; a complete number takes no more digits
 */
export function typedPhone(typed: string, before = ''): string {
  const digits = typed
    .replaceAll(/[०-९]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x966))
    .replace(/^\s*(?:\+|00)\s*91/, '')
    .replaceAll(/\D/g, '')
  const isMore = before.length === phoneDigits && [...digits].some((_, at) => digits.slice(0, at) + digits.slice(at + 1) === before)
  if (isMore && !/^(?:0|91)/.test(digits)) return before
  let phone = ''
  for (const digit of digits.slice(0, typedDigitsMax + 2)) phone = withoutPrefix(phone + digit)
  return phone
}

function withoutPrefix(phone: string): string {
  if (phone.length === phoneDigits + 1 && phone.startsWith('0')) return phone.slice(1)
  if (phone.length === typedDigitsMax && phone.startsWith('91')) return phone.slice(2)
  return phone.length > phoneDigits && !phone.startsWith('91') ? phone.slice(0, phoneDigits) : phone
}

/** True for a complete number that no Indian mobile has; it is taken all the same. */
export function isUnusualPhone(phone: string): boolean {
  return /^[0-5]\d{9}$/.test(phone)
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

/** First error of a sign-in form in the order of the specification, or undefined. */
export function findSignInIssue(form: SignInForm): AuthIssue<keyof SignInForm> | undefined {
  if (form.email.trim() === '') return { field: 'email', code: 'auth.fillRequired' }
  if (form.password === '') return { field: 'password', code: 'auth.fillRequired' }
  if (!isEmail(normaliseEmail(form.email))) return { field: 'email', code: 'auth.emailInvalid' }
  return undefined
}

/** First error of a sign-up form in the order of the specification, or undefined. The server also checks its password block list. */
export function findSignUpIssue(form: SignUpForm): AuthIssue<keyof SignUpForm> | undefined {
  const common = findSignInIssue(form)
  if (common !== undefined) return common
  if (form.name.trim() === '') return { field: 'name', code: 'auth.fillAll' }
  if (form.phone.trim() === '') return { field: 'phone', code: 'auth.fillAll' }
  if (form.confirmPassword === '') return { field: 'confirmPassword', code: 'auth.fillAll' }
  if (!isName(form.name.trim())) return { field: 'name', code: 'auth.nameInvalid' }
  if (!/^\d{10}$/.test(form.phone)) return { field: 'phone', code: 'auth.phoneLength' }
  if (form.password !== form.confirmPassword) return { field: 'confirmPassword', code: 'auth.passwordsDiffer' }
  return findPasswordIssue(form.password)
}

/** Length rules of a new password, counted in user-perceived characters. */
export function findPasswordIssue(password: string): AuthIssue<'password'> | undefined {
  const length = [...password].length
  if (length < passwordMin) return { field: 'password', code: 'auth.passwordShort' }
  if (length > passwordMax) return { field: 'password', code: 'auth.passwordLong' }
  return undefined
}
