// The rules of codes at sign-in: six digits of an authenticator app, or a recovery code.

/** Without look-alikes, so that it can be copied from paper. */
export const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'
export const recoveryLength = 24
export const recoveryCodes = 10
const groupLength = 6

const recoveryPattern = new RegExp(`^[${recoveryLetters}]{${recoveryLength}}$`)

export interface SignInCode {
  readonly kind: 'totp' | 'recovery'
  /** Without spaces and dashes, in lower case. */
  readonly code: string
}

/** What was typed or pasted as a code, or undefined where it can be neither. */
export function readCode(text: string): SignInCode | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return recoveryPattern.test(code) ? { kind: 'recovery', code } : undefined
}

/** A recovery code as it is shown: four groups of six. */
export function formatRecoveryCode(code: string): string {
  return code.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join('-') ?? ''
}
