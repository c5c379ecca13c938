// Codes at sign-in: six digits of an authenticator app, or a recovery code.

/** Without ambiguous characters, so that it can be copied from paper. */
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

/** Parses a typed or pasted code; undefined if it is neither. */
export function readCode(text: string): SignInCode | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return recoveryPattern.test(code) ? { kind: 'recovery', code } : undefined
}

/** Formats a recovery code: four groups of six. */
export function formatRecoveryCode(code: string): string {
  return code.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join('-') ?? ''
}
